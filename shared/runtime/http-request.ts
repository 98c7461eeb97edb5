import { type Dict, isDict } from './guards.ts';
import { RuntimeError } from './thrown.ts';

/** Result of `execute()`. */
interface HttpRequestResponse {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  data: unknown;
}

/** The value of a prop of type `http_request`: the configured request, and `execute()`, which sends it. */
export function httpRequest(configured: unknown): Dict {
  const request = isDict(configured) ? configured : {};
  return { ...request, execute: () => execute(request) };
}

async function execute(request: Dict): Promise<HttpRequestResponse> {
  if (typeof request['url'] !== 'string') throw new RuntimeError('invalid_request', 'The request has no `url`.');
  const url = new URL(request['url']);
  for (const [name, value] of pairs(request['params'] ?? request['query'])) url.searchParams.append(name, value);
  const headers = new Headers(pairs(request['headers']));
  authorise(headers, request['auth']);
  const method = typeof request['method'] === 'string' ? request['method'].toUpperCase() : 'GET';
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(request['body'] ?? request['data'], headers);
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const data = parsed(await response.text());
  const parsedResponse = {
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(response.headers),
    data,
  };
  if (response.ok) return parsedResponse;
  throw Object.assign(new Error(`Request failed with status code ${response.status}`), {
    response: parsedResponse,
  });
}

/** Headers, parameters and form fields are `[{name, value}]` from a form, or a plain object. */
function pairs(input: unknown): [string, string][] {
  if (Array.isArray(input)) {
    // Forms send empty rows too.
    return input
      .filter((item): item is Dict => isDict(item) && item['disabled'] !== true && typeof item['name'] === 'string')
      .map((item): [string, string] => [String(item['name']), String(item['value'] ?? '')])
      .filter(([name]) => name !== '');
  }
  return isDict(input) ? Object.entries(input).map(([name, value]) => [name, String(value)]) : [];
}

function authorise(headers: Headers, auth: unknown): void {
  if (!isDict(auth) || headers.has('authorization')) return;
  const { type, username, password, token } = auth;
  if (type === 'bearer' && token !== undefined) headers.set('authorization', `Bearer ${String(token)}`);
  if (type === 'basic' || (type === undefined && username !== undefined)) {
    const credentials = `${String(username ?? '')}:${String(password ?? '')}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  }
}

function bodyOf(body: unknown, headers: Headers): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  const type = isDict(body) ? (body['contentType'] ?? body['type']) : undefined;
  if (isDict(body) && type !== undefined) {
    if (typeof type === 'string' && type.includes('/') && !headers.has('content-type'))
      headers.set('content-type', type);
    if (typeof body['raw'] === 'string') return body['raw'];
    const fields = pairs(body['fields']);
    if (headers.get('content-type')?.includes('urlencoded')) return new URLSearchParams(fields).toString();
    return JSON.stringify(Object.fromEntries(fields));
  }
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
