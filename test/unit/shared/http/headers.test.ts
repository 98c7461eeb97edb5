import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { UserId } from '../../../../shared/domain/id.ts';
import { createApiHandler } from '../../../../shared/http/http.ts';
import { webhooks } from '../../../../shared/http/routes/webhook-routes.ts';
import { createLog } from '../../../../shared/lambda/log.ts';

/** The functions, without the gateway of this machine. */
const handler = createApiHandler(
  {
    getWebhook: { route: webhooks.getWebhook, serve: () => Promise.resolve({ statusCode: 200, body: '{}' }) },
  },
  {
    authenticate: () =>
      Promise.resolve({ userId: UserId.parse('u_aaaaaa'), apiKey: 'key', keyHash: 'hash', scopes: ['read'] }),
    log: createLog('error', 'test'),
  },
);

test.each([
  ['/v1/webhooks/wh_aaaaaa', 200],
  ['/v1/nothing', 404],
])('a response at %s is not cached, or taken for another type than it says', async (rawPath, statusCode) => {
  const event = {
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: { requestId: 'request', http: { method: 'GET' } },
  } as unknown as APIGatewayProxyEventV2;
  expect(await handler(event, {} as Context)).toMatchObject({
    statusCode,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': 'request' },
  });
});
