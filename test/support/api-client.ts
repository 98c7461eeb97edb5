import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** The service's response; `body` is undefined without one. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  // Tests read what they expect and fail where it is not.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  text: string;
  operation: string | undefined;
}

export interface ApiRequest {
  query?: Record<string, string | number> | string;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
  /** Another key, or none. */
  key?: string | null;
}

export interface ApiClient {
  call(method: string, path: string, request?: ApiRequest): Promise<ApiResponse>;
  get(path: string, query?: ApiRequest['query']): Promise<ApiResponse>;
  post(path: string, body?: unknown, request?: ApiRequest): Promise<ApiResponse>;
  put(path: string, body?: unknown, request?: ApiRequest): Promise<ApiResponse>;
  delete(path: string, query?: ApiRequest['query']): Promise<ApiResponse>;
  /** The same service with another key. */
  as(key: string | null): ApiClient;
  readonly document: OpenApiDocument;
}

interface Operation {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: { 'application/json': { schema: object } } }>;
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: { 'application/json': { schema: Record<string, unknown> } } };
}
interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/**
 * The document of this process's first service, with its check. Documents differ only in the origin. Making one and
 * compiling its schemas takes longer than many tests.
 */
let known: { document: OpenApiDocument; check: ReturnType<typeof checkerOf> } | undefined;

/**
 * A client of the public API, `base` ending in `/v1`. It holds every response that it gets against the service's own
 * OpenAPI document: status, shape, and whole objects wherever the request chose no fields.
 */
export async function apiClient(base: string, key: string): Promise<ApiClient> {
  const origin = base.replace(/\/v1$/, '');
  known ??= await documentAt(origin);
  return clientOf(origin, key, known.document, known.check);
}

async function documentAt(origin: string): Promise<NonNullable<typeof known>> {
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as OpenApiDocument;
  return { document, check: checkerOf(document) };
}

function clientOf(
  origin: string,
  key: string | null,
  document: OpenApiDocument,
  check: ReturnType<typeof checkerOf>,
): ApiClient {
  const call: ApiClient['call'] = async (method, path, request = {}) => {
    const query = typeof request.query === 'object' ? String(toQuery(request.query)) : (request.query ?? '');
    const url = `${origin}/v1${path}${query === '' ? '' : `?${query}`}`;
    const asKey = request.key === undefined ? key : request.key;
    const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const response = await fetch(url, {
      method,
      headers: {
        ...(asKey === null ? {} : { authorization: `Bearer ${asKey}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
    });
    const text = await response.text();
    const checked: ApiResponse = {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
      operation: undefined,
    };
    const choosesFields = /(^|&)(in|ex)clude=/.test(query) || /"(in|ex)clude"/.test(String(body));
    checked.operation = check(method, `/v1${path}`, checked, choosesFields);
    return checked;
  };
  return {
    call,
    get: (path, query) => call('GET', path, query === undefined ? {} : { query }),
    post: (path, body, request) => call('POST', path, { body, ...request }),
    put: (path, body, request) => call('PUT', path, { body, ...request }),
    delete: (path, query) => call('DELETE', path, query === undefined ? {} : { query }),
    as: (other) => clientOf(origin, other, document, check),
    document,
  };
}

const toQuery = (query: Record<string, string | number>) =>
  new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])));

/** API Gateway's own responses have its own shape. */
const GATEWAYS = new Set([413, 429, 503]);

function checkerOf(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true, double: true } });
  const components = closed(document.components);
  ajv.addSchema({ $id: 'openapi', components });
  ajv.addSchema({ $id: 'chosen', components: withoutRequired(components) });
  const compiled = new Map<string, ValidateFunction>();
  const validate = (id: string, schema: object, value: unknown, choosesFields = false) => {
    const valid = compiled.get(id) ?? ajv.compile(pointedAt(schema, choosesFields ? 'chosen' : 'openapi'));
    compiled.set(id, valid);
    expect(valid(value) ? [] : valid.errors, `${id} does not allow ${JSON.stringify(value).slice(0, 500)}`).toEqual([]);
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/[$]/g, '(?:\\$|%24)').replace(/\{\w+\}/g, '[^/]+')}/?$`),
      operation,
    })),
  );

  return (method: string, path: string, response: ApiResponse, choosesFields: boolean): string | undefined => {
    const { status, body, headers } = response;
    if (GATEWAYS.has(status) && typeof body?.message === 'string') return undefined;
    expect(
      headers.get('x-request-id'),
      `every response carries the id of its request: ${method} ${path} gave ${status} ${JSON.stringify(body)}`,
    ).toBeTruthy();
    if (status >= 400) {
      validate('Error', { $ref: '#/components/schemas/Error' }, body);
      expect(body.request_id).toBe(headers.get('x-request-id'));
      expect(headers.get('content-type')).toBe('application/json');
    }
    // The pattern with fewer parameters wins when several match.
    const [found] = operations
      .filter((candidate) => candidate.method === method && candidate.pattern.test(path))
      .sort((a, b) => a.pattern.source.split('[^/]').length - b.pattern.source.split('[^/]').length);
    if (!found) {
      expect([400, 401, 404, 405, 413, 415], `${method} ${path}`).toContain(status);
      return undefined;
    }
    const { operationId, responses } = found.operation;
    const documented = responses[status];
    expect(documented, `${operationId} answered ${status}: ${response.text.slice(0, 300)}`).toBeDefined();
    const schema = documented?.content?.['application/json'].schema;
    if (schema) {
      validate(`${operationId} ${status} ${choosesFields}`, closed(schema), body, choosesFields);
    } else if (status < 400) {
      expect(response.text).toBe('');
    }
    return operationId;
  };
}

/** References of a part of the document, resolved within the whole. */
const pointedAt = (schema: object, whole: string): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${whole}#/components`)) as object;

/** The document leaves objects open for new fields; tests allow the fields that it names, and no other. */
const closed = (schema: object): object =>
  mapped(schema, (members) =>
    'properties' in members && !('additionalProperties' in members)
      ? { ...members, additionalProperties: false }
      : members,
  );

/** With `include` and `exclude` any field may be missing. */
const withoutRequired = (schema: object): object =>
  mapped(schema, (members) =>
    Object.fromEntries(Object.entries(members).filter(([name, value]) => name !== 'required' || !Array.isArray(value))),
  );

const mapped = (schema: object, change: (members: object) => object): object =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value) : value,
  ) as object;
