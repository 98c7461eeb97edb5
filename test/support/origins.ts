/** Addresses of a stack that serves nothing. */
export const TEST_ORIGINS = { api: 'http://127.0.0.1:1', ingress: 'http://127.0.0.1:2' } as const;
