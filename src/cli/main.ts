export const main = async () => {};
