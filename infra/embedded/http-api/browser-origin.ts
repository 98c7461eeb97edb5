/**
 * The origin by which a browser on this machine reaches a listener: a wildcard address is reached by the loopback one.
 */
export const browserOrigin = (origin: string): string =>
  origin.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\]|::)(?=:\d+$)/, 'http://127.0.0.1');
