/** What is used of openapi-sampler, loaded by dry runs. A bundler finds the names of a CommonJS package only in a static import. */
export { sample } from "openapi-sampler";
