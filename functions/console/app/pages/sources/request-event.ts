/** A request as a person types it. */
export interface RequestFields {
  method: string;
  /** With or without a query. */
  path: string;
  /** Lines of `name: value`. */
  headers: string;
  body: string;
}

/** The request that a form begins with. */
export const FIRST_REQUEST: RequestFields = {
  method: 'POST',
  path: '/',
  headers: 'content-type: application/json',
  body: '{"name":"Ada"}',
};

export const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

const MAX_HEADERS = 100;

/** The headers of the request. A request without a body has no type of it. */
export function sentHeaders({ headers: lines, body }: RequestFields): ReadonlyMap<string, string> {
  const headers = typedHeaders(lines);
  return body === '' ? new Map([...headers].filter(([name]) => name !== 'content-type')) : headers;
}

/** The headers by their names in lower case; a name twice is joined by a comma. Throws for a line without a name. */
function typedHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`Headers: "${line.trim()}" must have the form name: value.`);
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known === undefined ? value.trim() : `${known}, ${value.trim()}`);
  }
  if (headers.size > MAX_HEADERS) throw new Error(`Headers: at most ${MAX_HEADERS} are allowed.`);
  return headers;
}

/** The JSON text of the event of such a request, but for `client_ip`. The body keeps its text. */
export function requestEvent(endpoint: string, fields: RequestFields): string {
  const { method, path, body } = fields;
  const headers = sentHeaders(fields);
  const [, before = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(path.startsWith('/') ? path : `/${path}`) ?? [];
  const hasBody = body !== '';
  const members = [
    ['method', JSON.stringify(method)],
    ['path', JSON.stringify(before)],
    ['query', queryText(query)],
    ['url', JSON.stringify(`${endpoint}${before}${query === '' ? '' : `?${query}`}`)],
    ['headers', objectText([...headers].map(([name, value]) => [name, JSON.stringify(value)]))],
    ...(hasBody
      ? [
          ['bodyRaw', JSON.stringify(body)],
          ['body', bodyText(body, headers)],
        ]
      : []),
  ];
  return objectText(members.map(([name = '', text = '']) => [name, text]));
}

/** Text typed by a person is no key of an object here: `__proto__` stays a member. */
const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

/** A parameter that is there twice is an array. */
function queryText(query: string): string {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return objectText(
    [...parameters].map(([name, values]) => [name, JSON.stringify(values.length === 1 ? values[0] : values)]),
  );
}

/** The text of a JSON object or array, other JSON values under a JSON type, the fields of a form, else a string. */
function bodyText(body: string, headers: ReadonlyMap<string, string>): string {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  try {
    const value: unknown = JSON.parse(body);
    if ((typeof value === 'object' && value !== null) || /^application\/(?:.*\+)?json$/.test(type)) return body;
  } catch {
    // It is no JSON.
  }
  return type === 'application/x-www-form-urlencoded' ? queryText(body) : JSON.stringify(body);
}
