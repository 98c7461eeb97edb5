import { randomBytes } from 'node:crypto';

const base = randomBytes(6).toString('base64url');
let requests = 0;

/** In the form of API Gateway's ids, and cheaper than a random one. */
export const newRequestId = (): string => `${base}${(requests++).toString(36).padStart(7, '0')}=`;
