import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UserId, WebhookId } from '../../../../shared/domain/id.ts';
import { Scope } from '../../../../shared/domain/user/api-key.ts';
import { createApiHandler } from '../../../../shared/http/http.ts';
import { openApi } from '../../../../shared/http/openapi/openapi.ts';
import type { Route } from '../../../../shared/http/route.ts';
import { routes } from '../../../../shared/http/routes.ts';
import { createLog } from '../../../../shared/lambda/log.ts';

const operations = Object.values(routes).flatMap((group) => Object.entries<Route>(group));
const served = (route: Route) => ({ route, serve: () => Promise.resolve({ statusCode: 200, body: '{}' }) });
let scopes: readonly Scope[] = [];
let portal: WebhookId | undefined;
const handlerOf = (entries: readonly (readonly [string, Route])[]) =>
  createApiHandler(Object.fromEntries(entries.map(([name, route]) => [name, served(route)])), {
    authenticate: () =>
      Promise.resolve({
        userId: UserId.parse('u_aaaaaa'),
        apiKey: 'key',
        keyHash: 'hash',
        scopes,
        ...(portal && { portal }),
      }),
    log: createLog('error', 'test'),
  });
const handler = handlerOf(operations);

async function send({ method, path }: Route, having: readonly Scope[]) {
  scopes = having;
  const event = {
    rawPath: path.replaceAll(/\{\w+\}/g, 'wh_aaaaaa'),
    rawQueryString: '',
    headers: {},
    requestContext: { requestId: 'request', http: { method } },
  } as unknown as APIGatewayProxyEventV2;
  const { statusCode, body = '' } = await handler(event, {} as Context);
  return { statusCode, ...(JSON.parse(body) as { code?: string; error?: string; details?: unknown }) };
}

const PUBLIC = ['getOpenApi', 'getDocs', 'getSession', 'signIn', 'handleSignIn', 'signOut'];

/** `read`: reads, and tokens for reading. `send`: events into sources. `manage`: the rest. */
function neededFor(name: string, { method }: Route): Scope | undefined {
  if ([...PUBLIC, 'getCurrentKey'].includes(name)) return undefined;
  if (name === 'runSource') return 'send';
  // It shows addresses of callers.
  if (name === 'getAudit') return 'manage';
  return method === 'GET' || name.endsWith('Token') ? 'read' : 'manage';
}

describe.each(operations)('%s', (name, route) => {
  const needed = neededFor(name, route);

  test.each(Scope.options)('with the scope %s is allowed, or 403 names the scope that is missing', async (scope) => {
    const { statusCode, code, error, details } = await send(route, [scope]);
    if (needed === undefined || needed === scope) expect(statusCode).toBe(200);
    else {
      expect([statusCode, code]).toEqual([403, 'missing_scope']);
      expect(error).toContain(`the scope ${needed}`);
      expect(details).toEqual([{ path: 'scope', message: `${needed} is missing` }]);
    }
  });

  test('is allowed with all scopes, and refused with all but the one that it needs', async () => {
    expect((await send(route, Scope.options)).statusCode).toBe(200);
    const others = Scope.options.filter((scope) => scope !== needed);
    expect((await send(route, others)).statusCode).toBe(needed === undefined ? 200 : 403);
  });

  test.runIf(route.path.startsWith('/v1/'))('has its scope in the OpenAPI document', () => {
    const paths = openApi('http://127.0.0.1')['paths'] as Record<string, Record<string, { security: unknown }>>;
    expect(paths[route.path]?.[route.method.toLowerCase()]?.security).toEqual(
      PUBLIC.includes(name) ? [] : [{ apiKey: needed ? [needed] : [] }],
    );
  });
});

/** A portal link shows and changes one webhook, and sends its deliveries again. */
const IN_PORTAL = [
  'getWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listDeliveries',
  'getDelivery',
  'redeliver',
  'startRecovery',
  'getRecovery',
];

test.each(operations)('%s: a portal link gives it for its own webhook only, or never', async (name, route) => {
  onTestFinished(() => {
    portal = undefined;
  });
  const isPublic = neededFor(name, route) === undefined && name !== 'getCurrentKey';
  portal = WebhookId.parse('wh_aaaaaa');
  expect((await send(route, [])).statusCode).toBe(isPublic || IN_PORTAL.includes(name) ? 200 : 403);
  portal = WebhookId.parse('wh_bbbbbb');
  expect((await send(route, Scope.options)).statusCode).toBe(isPublic ? 200 : 403);
});

test('an operation without a row in the table of rights does not start', () => {
  const [[, route] = expect.fail()] = operations;
  expect(() => handlerOf([['newOperation', route]])).toThrow('newOperation has no row');
});
