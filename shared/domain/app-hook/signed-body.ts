import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { AppRequest } from './app-request.ts';

/** Difference of a signed time from ours. */
const LONGEST_DIFFERENCE_MS = 5 * MINUTE_MS;

export const hmacHex = (secret: string, ...parts: readonly (string | Buffer)[]): string => {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
};

interface SignatureHeaders {
  signature: string;
  /** Header with the signed time, seconds since the epoch. */
  time?: string;
}

/**
 * The problem of a signature: HMAC-SHA256 in hex over the body, or as `v0=` over `v0:<time>:<body>` where a time is
 * signed.
 */
export const signatureProblem =
  ({ signature: name, time: timeName }: SignatureHeaders) =>
  ({ headers, content }: AppRequest, secret: string, now: number): string | undefined => {
    const sent = headers.get(name);
    const time = timeName === undefined ? undefined : headers.get(timeName);
    if (sent === undefined) return `The header ${name} is missing.`;
    const expected =
      timeName === undefined ? hmacHex(secret, content) : `v0=${hmacHex(secret, `v0:${time}:`, content)}`;
    if (!isEqual(sent, expected)) return `The header ${name} does not fit the body and the secret.`;
    if (timeName === undefined || isNear(time ?? '', now)) return undefined;
    return `The time in ${timeName} is more than 5 minutes off.`;
  };

const isNear = (seconds: string, now: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) * 1_000 - now) <= LONGEST_DIFFERENCE_MS;

function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
