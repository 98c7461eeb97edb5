import type { Operation } from './document-parts.ts';

interface CurlLineInput {
  origin: string;
  method: string;
  path: string;
  operation: Operation;
}

/**
 * A command line that sends the request of an operation. The shell fills in the key; words in capitals are for the
 * reader to replace.
 */
export function curlOfOperation({ origin, method, path, operation }: CurlLineInput): string {
  const { parameters, requestBody, security } = operation;
  const query = parameters
    .filter(({ in: location, required }) => location === 'query' && required)
    .map(({ name }) => `${name}=${placeholder(name)}`);
  const address = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name))}`;
  const url = query.length === 0 ? address : `${address}?${query.join('&')}`;
  const example = requestBody?.content['application/json']?.example;
  const parts = [
    method === 'get' ? 'curl' : `curl -X ${method.toUpperCase()}`,
    quoted(url),
    // An empty list is what an operation without authentication has.
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $TRIBUTARY_API_KEY"']),
    ...(example === undefined
      ? []
      : [quotedHeader('Content-Type: application/json'), `-d ${quoted(JSON.stringify(example))}`]),
  ];
  return parts.join(' \\\n  ');
}

const placeholder = (name: string): string => name.toUpperCase();

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const quotedHeader = (header: string): string => `-H ${quoted(header)}`;
