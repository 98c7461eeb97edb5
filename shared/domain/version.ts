/** The service's version, sent as user agent and as `platform_version`; a test compares it with package.json. */
export const VERSION = '0.2.0';
