import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from './stand-in.ts';

/** Client and token credentials (RFC 5849): a registered application signs for one of its users. */
export interface Credentials {
  readonly consumer: { readonly key: string; readonly secret: string };
  readonly token: { readonly key: string; readonly secret: string };
}

type Pair = readonly [name: string, value: string];

interface Request {
  readonly method: string;
  /** Without query. */
  readonly url: string;
  /** Decoded parameters of query and form. */
  readonly parameters: readonly Pair[];
}

/** Maximum difference of clocks. */
const TOLERANCE_S = 600;

/** RFC 5849, 3.6: of what `encodeURIComponent` leaves, only the unreserved characters stay. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 5849, 3.4: the signature of a request whose `oauth_…` parameters are among the others. */
export function signatureOf({ method, url, parameters }: Request, { consumer, token }: Credentials): string {
  const normalized = parameters
    .map(([name, value]): Pair => [encoded(name), encoded(value)])
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map((pair) => pair.join('='))
    .join('&');
  const base = [method.toUpperCase(), url, normalized].map(encoded).join('&');
  const key = [consumer.secret, token.secret].map(encoded).join('&');
  return createHmac('sha1', key).update(base).digest('base64');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The `Authorization` of a request: what a signer in front of an upstream answers. */
export function authorizationOf({ method, url }: { method: string; url: string }, credentials: Credentials): string {
  const { origin, pathname, searchParams } = new URL(url);
  const own: Pair[] = [
    ['oauth_consumer_key', credentials.consumer.key],
    ['oauth_nonce', randomUUID()],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(Math.floor(Date.now() / 1000))],
    ['oauth_token', credentials.token.key],
    ['oauth_version', '1.0'],
  ];
  const request = { method, url: origin + pathname, parameters: [...searchParams, ...own] };
  const all: Pair[] = [...own, ['oauth_signature', signatureOf(request, credentials)]];
  return `OAuth ${all.map(([name, value]) => `${name}="${encoded(value)}"`).join(', ')}`;
}

const used = new Set<string>();

/**
 * The reason of an upstream with these credentials for refusing a request; undefined for an accepted one. A nonce is
 * accepted once.
 */
export function signatureProblem(call: Call, credentials: Credentials): string | undefined {
  const { authorization = '' } = call.headers;
  const oauthParameters = Object.fromEntries(
    [...authorization.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(([, name = '', value = '']): Pair => [
      name,
      decodeURIComponent(value),
    ]),
  );
  const { oauth_signature: signature, ...own } = oauthParameters;
  if (!authorization.startsWith('OAuth ') || signature === undefined) return 'it is not signed';
  if (own['oauth_consumer_key'] !== credentials.consumer.key) return 'another application signed it';
  if (own['oauth_token'] !== credentials.token.key) return 'it is for another user';
  if (own['oauth_signature_method'] !== 'HMAC-SHA1') return 'it is signed in another way';
  if (Math.abs(Number(own['oauth_timestamp']) - Date.now() / 1000) > TOLERANCE_S) return 'it is of another time';
  const nonce = `${own['oauth_timestamp']} ${own['oauth_nonce']}`;
  if (!own['oauth_nonce'] || used.has(nonce)) return 'its nonce is not new';
  const isForm = call.headers['content-type']?.includes('x-www-form-urlencoded') ?? false;
  const parameters = [
    ...Object.entries(call.query),
    ...(isForm ? [...new URLSearchParams(call.text)] : []),
    ...Object.entries(own),
  ];
  const { method, host, path } = call;
  if (signatureOf({ method, url: `https://${host}${path}`, parameters }, credentials) !== signature)
    return 'its signature is wrong';
  used.add(nonce);
  return undefined;
}
