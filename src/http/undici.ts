/** What is used of undici, loaded at the first request. A bundler finds the names of a CommonJS package only in a static import. */
export { Agent, EnvHttpProxyAgent } from "undici";
