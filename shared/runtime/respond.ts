import type { RunnerLine } from '../domain/run/run.ts';
import { isTooLong, LONGEST_RESPONSE_BYTES } from '../domain/run/response-size.ts';
import { type Dict, isDict } from './guards.ts';
import { RuntimeError } from './thrown.ts';

export type Response = Omit<Extract<RunnerLine, { k: 'respond' }>, 'k' | 'job'>;

/** Headers that belong to one connection (RFC 9110, 7.6.1), or that the HTTP server sets itself. */
const DROPPED = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Makes an HTTP response of the value that a component passed to `respond`. `dropped` are the names of headers that
 * cannot be sent, or that `isShown` refuses.
 */
export function responseOf(
  input: unknown,
  isShown: (name: string) => boolean = () => true,
): { response: Response; dropped: string[] } {
  const fields = isDict(input) ? input : {};
  const dropped: string[] = [];
  const { headers, cookies } = headersOf(fields['headers'], dropped, isShown);
  const { body, base64, type } = bodyOf(fields['body']);
  if (type !== undefined) headers['content-type'] ??= type;
  const response = { status: statusOf(fields), headers, body, base64, ...(cookies.length > 0 ? { cookies } : {}) };
  if (isTooLong(response)) throw tooLarge();
  return { response, dropped };
}

function statusOf({ status, statusCode }: Dict): number {
  const value = status ?? statusCode ?? 200;
  const number = typeof value === 'string' ? Number(value.trim()) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 200 && number <= 599) return number;
  throw new RuntimeError(
    'invalid_response',
    `The status of a response must be an integer from 200 to 599, not ${show(value)}.`,
  );
}

function headersOf(
  input: unknown,
  dropped: string[],
  isShown: (name: string) => boolean,
): { headers: Record<string, string>; cookies: string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const [name, value] of isDict(input) ? Object.entries(input) : []) {
    if (value === undefined || value === null) continue;
    const key = name.toLowerCase();
    const values = Array.isArray(value) ? value.map(String) : [String(value)];
    const valid = values.filter(isHeaderValue);
    const isValid = isShown(name) && !DROPPED.has(key) && isHeaderName(key) && valid.length === values.length;
    if (!isValid) dropped.push(name);
    if (key === 'set-cookie') cookies.push(...valid);
    else if (isValid) headers[key] = values.join(', ');
  }
  return { headers, cookies };
}

const isHeaderName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) && name !== '__proto__';
/** Visible Latin-1 characters, spaces and tabs, which every HTTP library accepts. */
const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

function bodyOf(body: unknown): { body: string; base64: boolean; type?: string } {
  if (body === undefined || body === null) return { body: '', base64: false };
  if (typeof body === 'string') return { body, base64: false, type: 'text/plain; charset=utf-8' };
  const bytes = bytesOf(body);
  if (bytes) return { body: bytes.toString('base64'), base64: true, type: 'application/octet-stream' };
  return { body: jsonOf(body), base64: false, type: 'application/json' };
}

function jsonOf(body: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(body);
  } catch (cause) {
    throw new RuntimeError('invalid_response', 'The body of the response is not JSON.', { cause });
  }
  if (json === undefined) throw new RuntimeError('invalid_response', `A ${typeof body} cannot be a response's body.`);
  return json;
}

function bytesOf(body: unknown): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return undefined;
}

const tooLarge = () =>
  new RuntimeError(
    'response_too_large',
    `The body of a response may have at most ${LONGEST_RESPONSE_BYTES} bytes, and its headers 100 KB.`,
  );

const show = (value: unknown): string => JSON.stringify(value) ?? typeof value;
