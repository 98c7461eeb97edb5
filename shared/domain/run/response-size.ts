import type { RunnerLine } from './run.ts';

type Response = Pick<Extract<RunnerLine, { k: 'respond' }>, 'headers' | 'cookies' | 'body' | 'base64'>;

/**
 * Lambda limits the JSON of a response to 6 MB. As base64 the longest body has 6,000,000 bytes, and the headers fit
 * beside it.
 */
export const LONGEST_RESPONSE_BYTES = 4_500_000;
const LONGEST_HEADERS = 100_000;

export const isTooLong = ({ headers, cookies = [], body, base64 }: Response): boolean =>
  (base64 ? (body.length * 3) / 4 - 2 : Buffer.byteLength(body)) > LONGEST_RESPONSE_BYTES ||
  JSON.stringify([headers, cookies]).length > LONGEST_HEADERS;
