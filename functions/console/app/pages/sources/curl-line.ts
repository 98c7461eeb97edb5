import { FIRST_REQUEST, typedHeaders, type RequestFields } from './request-event.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command that sends a request to an endpoint. Headers in a wrong form are left out: the form says so when it is sent. */
export function curlLineOf(endpoint: string, fields: RequestFields = FIRST_REQUEST): string {
  const { method, path, body } = fields;
  const address = path === '/' ? endpoint : `${endpoint}${path.startsWith('/') ? '' : '/'}${path}`;
  return [
    `curl -X ${method} ${quoted(address)}`,
    ...[...readable(fields.headers)].map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ');
}

function readable(headers: string): ReadonlyMap<string, string> {
  try {
    return typedHeaders(headers);
  } catch {
    return new Map();
  }
}
