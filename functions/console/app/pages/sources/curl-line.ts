import { quoted } from '../../shell-text.ts';
import { FIRST_REQUEST, sentHeaders, type RequestFields } from './request-event.ts';

/**
 * A command that sends a request to an endpoint. Headers in a wrong form are left out: the form says so when it is
 * sent.
 */
export function curlLineOf(endpoint: string, fields: RequestFields = FIRST_REQUEST): string {
  const { method, path } = fields;
  const isHead = method === 'HEAD';
  // The response to HEAD has no body: `-X HEAD` would wait for one. `--head` takes no data.
  const body = isHead ? '' : fields.body;
  const address = path === '/' ? endpoint : `${endpoint}${path.startsWith('/') ? '' : '/'}${path}`;
  return [
    // Without `-g`, curl reads brackets and braces of the address as patterns.
    `curl -g ${isHead ? '--head' : `-X ${method}`} ${quoted(address)}`,
    ...[...readable({ ...fields, body })].map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ');
}

function readable(fields: RequestFields): ReadonlyMap<string, string> {
  try {
    return sentHeaders(fields);
  } catch {
    return new Map();
  }
}
