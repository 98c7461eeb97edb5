import type { RunnerLine } from '../domain/run.ts';
import { type Dict, isDict } from './guards.ts';
import { RuntimeError } from './thrown.ts';

export type Response = Omit<Extract<RunnerLine, { k: 'respond' }>, 'k' | 'job'>;

/** What a function may answer on AWS, in bytes of the body. */
const LARGEST_BODY_BYTES = 6 * 1024 * 1024;

/** Names one connection only, or is counted by whoever sends the answer (RFC 9110, 7.6.1). */
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
 * Makes what a component passed to `respond` an answer; `dropped` says what could not be part of it, among it headers whose names are not
 * to be shown.
 */
export function responseOf(
  given: unknown,
  isShown: (name: string) => boolean = () => true,
): { response: Response; dropped: string[] } {
  const wanted = isDict(given) ? given : {};
  const dropped: string[] = [];
  const { headers, cookies } = headersOf(wanted['headers'], dropped, isShown);
  const { body, base64, type } = bodyOf(wanted['body']);
  if (type !== undefined) headers['content-type'] ??= type;
  const response = { status: statusOf(wanted), headers, body, base64 };
  return { response: cookies.length > 0 ? { ...response, cookies } : response, dropped };
}

function statusOf({ status, statusCode }: Dict): number {
  const wanted = status ?? statusCode ?? 200;
  const number = typeof wanted === 'string' ? Number(wanted.trim()) : wanted;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 200 && number <= 599) return number;
  throw new RuntimeError(
    'invalid_response',
    `The status of a response is a number from 200 to 599, not ${show(wanted)}.`,
  );
}

function headersOf(
  given: unknown,
  dropped: string[],
  isShown: (name: string) => boolean,
): { headers: Record<string, string>; cookies: string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const [name, value] of isDict(given) ? Object.entries(given) : []) {
    if (value === undefined || value === null) continue;
    const key = name.toLowerCase();
    const values = Array.isArray(value) ? value.map(String) : [String(value)];
    const fine = values.filter(isHeaderValue);
    const isFine = isShown(name) && !DROPPED.has(key) && isHeaderName(key) && fine.length === values.length;
    if (!isFine) dropped.push(name);
    if (key === 'set-cookie') cookies.push(...fine);
    else if (isFine) headers[key] = values.join(', ');
  }
  return { headers, cookies };
}

const isHeaderName = (name: string): boolean =>
  /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) && name !== '__proto__';
/** Visible characters, spaces and tabs; Latin-1 is as far as every HTTP library goes. */
const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

function bodyOf(body: unknown): { body: string; base64: boolean; type?: string } {
  if (body === undefined || body === null) return { body: '', base64: false };
  if (typeof body === 'string')
    return { body: within(body), base64: false, type: 'text/plain; charset=utf-8' };
  const bytes = bytesOf(body);
  if (bytes) {
    if (bytes.length > LARGEST_BODY_BYTES) throw tooLarge();
    return { body: bytes.toString('base64'), base64: true, type: 'application/octet-stream' };
  }
  return { body: within(jsonOf(body)), base64: false, type: 'application/json' };
}

function jsonOf(body: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(body);
  } catch (cause) {
    throw new RuntimeError('invalid_response', 'The body of the response is no JSON.', { cause });
  }
  if (json === undefined)
    throw new RuntimeError('invalid_response', `A ${typeof body} cannot be a response's body.`);
  return json;
}

function bytesOf(body: unknown): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return undefined;
}

function within(text: string): string {
  if (Buffer.byteLength(text) > LARGEST_BODY_BYTES) throw tooLarge();
  return text;
}

const tooLarge = () =>
  new RuntimeError('response_too_large', `The body of a response may have ${LARGEST_BODY_BYTES} bytes.`);

const show = (value: unknown): string => JSON.stringify(value) ?? typeof value;
