import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../shared/domain/errors.ts';
import { gatewayRoutes } from '../../../../shared/http/gateway-routes.ts';
import { openApi } from '../../../../shared/http/openapi/openapi.ts';
import type { Route } from '../../../../shared/http/route.ts';
import { routes } from '../../../../shared/http/routes.ts';

const document = openApi('http://127.0.0.1:3000');
const all = Object.entries(routes).flatMap(([group, operations]) =>
  Object.entries<Route>(operations).map(([operation, route]) => ({ group, operation, route })),
);

test('docs/errors.md lists every code of responses, and no other', () => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `(\w+)` +\| \d{3} /gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual([...errorCodes].sort());
});

test('the document is OpenAPI 3.1 and names each operation once', () => {
  expect(document['openapi']).toBe('3.1.0');
  const ids = all.map(({ operation }) => operation);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(all)('$operation', ({ group, operation, route }) => {
  test('is reached through the routes of its group', () => {
    expect(route.group).toBe(group);
    const reached = gatewayRoutes[route.group].some((key) => {
      const [method = '', path = ''] = key.split(' ');
      const fits = path.endsWith('/{proxy+}')
        ? route.path.startsWith(path.slice(0, -'{proxy+}'.length))
        : route.path === path;
      return fits && (method === 'ANY' || method === route.method);
    });
    expect(reached).toBe(true);
  });

  test.runIf(route.path.startsWith('/v1/'))('lists its statuses; extensions have a mark', () => {
    const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
    const described = paths[route.path]?.[route.method.toLowerCase()];
    expect(described?.['operationId']).toBe(operation);
    const statuses = Object.keys(described?.['responses'] ?? {});
    expect(statuses).toContain('500');
    expect(statuses.includes('401')).toBe(!route.isPublic || route.errors.includes(401));
    expect(described?.['x-extension'] ?? false).toBe(route.isExtension);
  });
});

type Schema = Record<string, unknown>;
const { schemas } = document['components'] as { schemas: Record<string, Schema> };
const ajv = new Ajv2020({ strict: false, formats: { int64: true, double: true } });
ajv.addSchema({ $id: 'openapi', components: { schemas } });
const compiled = (schema: unknown) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')));

/** Every object of the document below a place, with its path. */
function* objectsIn(value: unknown, path: string): Generator<[path: string, members: Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Schema];
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`);
}

test('every schema compiles', () => {
  for (const name of Object.keys(schemas)) compiled({ $ref: `#/components/schemas/${name}` });
});

test('answers name their required fields and are open to new ones', () => {
  const objects = [...objectsIn(schemas, '')].filter(([, { properties }]) => properties !== undefined);
  expect(objects.filter(([, { additionalProperties }]) => additionalProperties === false)).toEqual([]);
  expect(schemas['Source']?.['required']).toEqual(expect.arrayContaining(['id', 'configured_props', 'active']));
  expect(JSON.stringify(document)).not.toMatch(/(?<!"auth)Fields"/);
});

test('every operation, parameter, property, header and tag has a description', () => {
  const described = [...objectsIn(document, '')].filter(([path]) => !/\/(example|links)(\/|$)/.test(path));
  const lacking = described.flatMap(([path, members]) => {
    const { properties, parameters, headers, operationId } = members;
    // A webhook has a property of this name.
    const isResponse = /\/responses\/\w+$/.test(path);
    const named = { ...Object(properties), ...(isResponse ? Object(headers) : {}) } as Record<string, Schema>;
    const parts: [string, Schema][] = [
      ...Object.entries(named),
      ...(Array.isArray(parameters) ? (parameters as Schema[]) : []).map((each): [string, Schema] => [
        String(each['name']),
        each,
      ]),
      ...(operationId === undefined ? [] : [[String(operationId), members] as [string, Schema]]),
    ];
    return parts.filter(([, part]) => !part['description']).map(([name]) => `${path}/${name}`);
  });
  expect(lacking).toEqual([]);
  expect((document['tags'] as Schema[]).filter(({ description }) => !description)).toEqual([]);
});

describe('examples', () => {
  const media = [
    ...objectsIn(document['paths'], ''),
    ...objectsIn(Object(document['components']).responses, ''),
  ].filter(([path]) => path.endsWith('/content/application/json'));

  test('every body has one, and it is valid', () => {
    expect(media.length).toBeGreaterThan(30);
    for (const [path, { schema, example }] of media) {
      const valid = compiled(schema);
      expect(valid(example) ? [] : [path, valid.errors]).toEqual([]);
    }
  });

  test('those of errors have a code that exists', () => {
    const codes = media.flatMap(([, { example }]) => (example as { code?: unknown }).code ?? []);
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => !errorCodes.some((known) => known === code))).toEqual([]);
    expect((Object(document['components']).responses as Schema)['BadRequest']).toMatchObject({
      content: { 'application/json': { example: { code: 'invalid_request' } } },
    });
  });
});

test('the server is the origin as asked for, and paths begin with /v1', () => {
  expect(document['servers']).toMatchObject([{ url: 'http://127.0.0.1:3000' }]);
  const paths = Object.keys(Object(document['paths']) as object);
  expect(paths.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
});

test('fields that the interface has in the query are required there; filters are in the body, and props take any value', () => {
  const of = (path: string, method: string) =>
    Object(document['paths'])[path][method] as {
      parameters: { name: string; required: boolean }[];
      requestBody?: { content: { 'application/json': { schema: { properties: Schema } } } };
    };
  const required = (path: string) =>
    of(path, 'post')
      .parameters.filter((parameter) => parameter.required)
      .map(({ name }) => name);
  expect(required('/v1/webhooks')).toEqual(['url']);
  expect(required('/v1/subscriptions')).toEqual(['emitter_id', 'listener_id']);
  expect(required('/v1/auto_subscriptions')).toEqual(['event_name', 'listener_id']);
  const bodyOf = (path: string) => of(path, 'post').requestBody?.content['application/json'].schema.properties ?? {};
  expect(Object.keys(bodyOf('/v1/subscriptions'))).toContain('filter');
  expect(Object.keys(bodyOf('/v1/subscriptions'))).not.toContain('emitter_id');
  expect(bodyOf('/v1/sources')['configured_props']).toMatchObject({ additionalProperties: true });
});

test('the error codes are those of the service', () => {
  expect(schemas['Error']).toMatchObject({ properties: { code: { enum: [...errorCodes] } } });
});
