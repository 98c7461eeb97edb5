import { createHash } from 'node:crypto';

/** Keys have 256 random bits, so a plain hash is sufficient. */
export const hashOfKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');
