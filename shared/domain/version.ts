/** Of this service; a test holds it equal to package.json. Sent as user agent and as `platform_version`. */
export const VERSION = '0.1.0';
