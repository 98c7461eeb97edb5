import { cut } from '../lib/cut.ts';
import { type ChainedError, errorsIn, safeMember, textIn } from './error-chain.ts';
import { requestOf, type SentRequest } from './failed-requests.ts';
import { type Dict, isDict } from './guards.ts';

const LONGEST_METHOD = 16;
const LONGEST_URL = 512;
/** Characters of the causes and the request together. */
const LONGEST_REST = 2048;

type Redact = (text: string) => string;

/**
 * Message of an error and its causes, and the request if an HTTP client threw it. Each part is redacted before it is
 * cut.
 */
export function messageOfChain(
  own: string,
  chain: readonly ChainedError[],
  { longest, redact }: { longest: number; redact: Redact },
): string {
  const first = redact(own);
  let causes = '';
  for (const { error, joint } of chain.slice(1)) {
    const text = redact(textIn(error, 'message') ?? codeOf(error) ?? '');
    if (text === '' || first.includes(text) || causes.includes(text)) continue;
    causes += (first + causes === '' ? '' : joint) + text;
  }
  const request = chain.map(({ error }) => requestIn(error)).find((found) => found !== undefined);
  const rest = cut(causes, LONGEST_REST - LONGEST_URL) + requestText(request, first, redact);
  return cut(first, longest - rest.length) + rest;
}

/** An error without a message has a code, or consists of errors that have messages. */
const codeOf = (error: Dict): string | undefined => (errorsIn(error).length > 0 ? undefined : textIn(error, 'code'));

/** Clients of HTTP put the request of an error in one of these. */
function requestIn(error: Dict): SentRequest | undefined {
  const response = safeMember(error, 'response');
  const candidates = [
    safeMember(error, 'config'),
    safeMember(error, 'options'),
    safeMember(error, 'request'),
    isDict(response) ? safeMember(response, 'config') : undefined,
  ];
  for (const candidate of candidates) {
    if (!isDict(candidate)) continue;
    const url = urlOf(candidate);
    if (url !== undefined) return { method: safeMember(candidate, 'method'), url };
  }
  return requestOf(error);
}

function urlOf(request: Dict): string | undefined {
  const url = safeMember(request, 'url') ?? safeMember(request, 'uri');
  const text = url instanceof URL ? url.href : url;
  if (typeof text !== 'string') return undefined;
  const base = textIn(request, 'baseURL');
  const isAbsolute = /^https?:\/\//i.test(text);
  if (isAbsolute) return text;
  return base === undefined ? undefined : `${base.replace(/\/+$/, '')}/${text.replace(/^\/+/, '')}`;
}

/**
 * ` (GET https://api.example.com/items)`: without user, query and fragment, which may hold credentials. Empty where the
 * message has it.
 */
function requestText(request: SentRequest | undefined, message: string, redact: Redact): string {
  if (typeof request?.url !== 'string' || !URL.canParse(request.url)) return '';
  const { protocol, origin, pathname, search } = new URL(request.url);
  const address = origin + pathname;
  if (!/^https?:$/.test(protocol) || message.includes(address)) return '';
  const method = typeof request.method === 'string' ? request.method.toUpperCase() : 'GET';
  if (method.length > LONGEST_METHOD || !/^[A-Z]+$/.test(method)) return '';
  return ` (${method} ${cut(redact(address), LONGEST_URL - 2 * LONGEST_METHOD)}${search === '' ? '' : '?…'})`;
}
