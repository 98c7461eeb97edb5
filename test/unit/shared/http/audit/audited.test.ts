import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../../shared/domain/errors.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { Scope } from '../../../../../shared/domain/user/api-key.ts';
import type { NewAuditEntry } from '../../../../../shared/domain/user/audit-entry.ts';
import { HIDDEN_FIELDS, SHOWN_FIELDS } from '../../../../../shared/http/audit/changed-fields.ts';
import { createApiHandler } from '../../../../../shared/http/http.ts';
import { openApi } from '../../../../../shared/http/openapi/openapi.ts';
import type { Route } from '../../../../../shared/http/route.ts';
import { routes } from '../../../../../shared/http/routes.ts';
import { createLog } from '../../../../../shared/lambda/log.ts';

const operations = Object.values(routes).flatMap((group) => Object.entries<Route>(group));
const userId = UserId.parse('u_aaaaaa');
let scopes: readonly Scope[] = Scope.options;
let failure: Error | undefined;
let addFailure: Error | undefined;
let added: { userId: UserId; entry: NewAuditEntry }[] = [];
afterEach(() => {
  [scopes, failure, addFailure, added] = [Scope.options, undefined, undefined, []];
});

const handler = createApiHandler(
  Object.fromEntries(
    operations.map(([name, route]) => [
      name,
      { route, serve: () => (failure ? Promise.reject(failure) : Promise.resolve({ statusCode: 200, body: '{}' })) },
    ]),
  ),
  {
    authenticate: () => Promise.resolve({ userId, apiKey: 'key', keyHash: 'hash', scopes }),
    log: createLog('error', 'test'),
    addAudit: (user, entry) => {
      if (addFailure) return Promise.reject(addFailure);
      added.push({ userId: user, entry });
      return Promise.resolve();
    },
  },
);

async function send({ method, path }: Route) {
  const event = {
    rawPath: path.replaceAll(/\{\w+\}/g, 'wh_aaaaaa'),
    rawQueryString: '',
    headers: {},
    requestContext: { requestId: 'request', http: { method, sourceIp: '192.0.2.7' } },
  } as unknown as APIGatewayProxyEventV2;
  return (await handler(event, {} as Context)).statusCode;
}

/** Not reads, tokens, runs, the options of a prop, and the end of a session, which change nothing of the user. */
const changes = (name: string, { method }: Route) =>
  method !== 'GET' && !name.endsWith('Token') && !['runSource', 'configureComponent', 'signOut'].includes(name);

describe.each(operations)('%s', (name, route) => {
  test(`leaves ${changes(name, route) ? 'exactly one entry' : 'no entry'}, and none when it is refused`, async () => {
    expect(await send(route)).toBe(200);
    expect(added.map(({ userId: user, entry }) => [user, entry.operation, entry.requestId, entry.clientIp])).toEqual(
      changes(name, route) ? [[userId, name, 'request', '192.0.2.7']] : [],
    );
    added = [];
    failure = new ServiceError('key_in_use', 'refused');
    expect(await send(route)).toBe(409);
    if (!route.isPublic) {
      scopes = [];
      expect(await send(route)).toBe(name === 'getCurrentKey' ? 409 : 403);
    }
    expect(added).toEqual([]);
  });
});

test('a change whose entry cannot be written is not acknowledged', async () => {
  const [, route = expect.fail()] = operations.find(([name]) => name === 'deleteWebhook') ?? [];
  addFailure = new Error('the table is away');
  expect(await send(route)).toBe(500);
});

test('every field that a change takes is shown, or is named without its value', () => {
  const known = new Set([...SHOWN_FIELDS, ...HIDDEN_FIELDS]);
  const { paths, components } = openApi('http://127.0.0.1') as unknown as {
    paths: Record<string, Record<string, Documented>>;
    components: { schemas: Record<string, Described> };
  };
  const propertiesOf = (schema: Described = {}): string[] => {
    const { $ref: reference } = schema;
    if (reference === undefined) return Object.keys(schema.properties ?? {});
    return propertiesOf(components.schemas[reference.split('/').at(-1) ?? '']);
  };
  const fields = operations
    .filter(([name, route]) => changes(name, route))
    .flatMap(([, { path, method }]) => {
      const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? expect.fail(path);
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      return [...query, ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => propertiesOf(schema))];
    });
  // Choices of fields, and `since` of a recovery, which its response has as `since_ms`.
  const others = ['include', 'exclude', 'since'];
  expect([...new Set(fields)].filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
});

interface Described {
  $ref?: string;
  properties?: object;
}
interface Documented {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Described }> };
}
