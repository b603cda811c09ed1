/** Made by test/host/web.mjs: loads the suites that the browser's host runs. */
declare module 'suites-of-the-web' {
  export function describeSuites(): void;
}
