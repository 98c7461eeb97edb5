import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../shared/domain/errors.ts';
import { gatewayRoutes } from '../../../../shared/http/gateway-routes.ts';
import { openApi } from '../../../../shared/http/openapi.ts';
import type { Route } from '../../../../shared/http/route.ts';
import { routes } from '../../../../shared/http/routes.ts';

const document = openApi();
const all = Object.entries(routes).flatMap(([group, operations]) =>
  Object.entries<Route>(operations).map(([operation, route]) => ({ group, operation, route })),
);

test('docs/errors.md lists every code of answers with its status, and no other', () => {
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

  test('lists its statuses; extensions are in a section of their own', () => {
    const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
    const described = paths[route.path]?.[route.method.toLowerCase()];
    expect(described?.['operationId']).toBe(operation);
    const statuses = Object.keys(described?.['responses'] ?? {});
    expect(statuses).toContain('500');
    expect(statuses.includes('401')).toBe(!route.isPublic);
    expect(JSON.stringify(described?.['tags']).includes('extensions')).toBe(route.isExtension);
  });
});

test('every schema compiles, and every object is closed but for what users define', () => {
  const ajv = new Ajv2020({ strict: false });
  const { schemas } = document['components'] as { schemas: Record<string, object> };
  ajv.addSchema({ $id: 'openapi', components: { schemas } });
  const open: string[] = [];
  const walk = (schema: unknown, path: string) => {
    if (typeof schema !== 'object' || schema === null) return;
    const { type, additionalProperties } = schema as Record<string, unknown>;
    if (type === 'object' && additionalProperties !== false) open.push(path);
    for (const [name, member] of Object.entries(schema)) walk(member, `${path}/${name}`);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    walk(schema, name);
  }
  expect(open.filter((path) => !/(event|e|configured_props|configurable_props\/items)$/.test(path))).toEqual(
    [],
  );
  const { Error: error } = schemas as Record<string, { properties?: { code?: { enum?: unknown } } }>;
  expect(error?.properties?.code?.enum).toEqual([...errorCodes]);
});
