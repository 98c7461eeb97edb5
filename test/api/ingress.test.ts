import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHash, randomBytes } from 'node:crypto';
import { newId, WorkflowId } from '../../shared/domain/id.ts';
import { type TestCloud, startTestCloud } from '../support/cloud.ts';
import { until } from '../support/until.ts';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import { workflowStore } from '../../shared/store/emitters/workflows.ts';
import { UserId } from '../../shared/domain/id.ts';
import { VERSION } from '../../shared/domain/version.ts';

interface SourceData {
  id: string;
  configured_props: { http: { endpoint_url: string } };
}
interface Summary {
  event: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

let cloud: TestCloud;
let echo: SourceData;
let custom: SourceData;

async function api<T>(method: string, path: string, body?: unknown): Promise<{ status: number; data: T }> {
  const response = await fetch(`${cloud.base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${cloud.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data } = (text === '' ? {} : JSON.parse(text)) as { data: T };
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return { status: response.status, data };
}

const create = async (code: string) => (await api<SourceData>('POST', '/sources', { component_code: code })).data;
const summaries = async (id: string, stream = '', kind = 'sources') =>
  (
    await api<Summary[]>(
      'GET',
      `/${kind}/${id}/event_summaries?limit=100&expand=event&event_name=${encodeURIComponent(stream)}`,
    )
  ).data;
const endpointOf = (source: SourceData) => source.configured_props.http.endpoint_url;

beforeAll(async () => {
  cloud = await startTestCloud();
  echo = await create(
    `export default { name: 'Echo', version: '0.0.1', props: { http: '$.interface.http' }, run(event) {
      // Body and bodyRaw of a large request are more than an event may have.
      const { bodyRaw = '', isBase64Encoded } = event;
      this.$emit(bodyRaw.length > 100_000 ? { length: bodyRaw.length, isBase64Encoded } : event);
    } };`,
  );
  custom = await create(
    `export default { name: 'Custom', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
      async run(event) {
        const { do: what } = event.query;
        this.$emit({ what });
        if (what === 'throw') throw new Error('on purpose');
        if (what === 'nothing') return;
        if (what === 'bytes') return this.http.respond({ status: 200, headers: { 'content-type': 'image/gif' }, body: Buffer.from([0, 255, 1]) });
        this.http.respond({ status: '201', headers: { 'X-Own': 'yes', 'Set-Cookie': ['a=1; Path=/', 'b=2'], connection: 'close', 'bad name': 'x', 'x-bad': 'a\\nb' }, body: { got: event.body } });
      } };`,
  );
});
afterAll(() => cloud.stop());

describe('an endpoint', () => {
  test('takes any method and any path behind it, and answers once the trigger is durable', async () => {
    const before = (await summaries(echo.id)).length;
    const url = `${endpointOf(echo)}/some/path?a=1&a=2`;
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetch(url, { method });
      expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    }
    const events = await until('five events', async () => {
      const found = await summaries(echo.id);
      return found.length === before + 5 && found;
    });
    const methods = events.slice(0, 5).map(({ event }) => event['method']);
    expect([...methods].reverse()).toEqual(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
    expect(events[0]?.event).toMatchObject({ path: '/some/path', query: { a: ['1', '2'] } });
  });

  test('has a body in its event also with pipedream_upload_body in the query', async () => {
    const response = await fetch(`${echo.configured_props.http.endpoint_url}/?pipedream_upload_body=1`, {
      method: 'POST',
      body: 'a large body',
    });
    expect(response.status).toBe(200);
    const event = await until('the event', async () =>
      (await summaries(echo.id)).find(({ event }) => Object(event['query']).pipedream_upload_body === '1'),
    );
    expect(event.event).toMatchObject({ body: 'a large body', bodyRaw: 'a large body' });
  });

  test('makes a trigger of each of two identical requests', async () => {
    const before = (await summaries(echo.id)).length;
    const post = () =>
      fetch(endpointOf(echo), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"same":1}',
      });
    await Promise.all([post(), post(), post()]);
    const events = await until('three events', async () => {
      const found = await summaries(echo.id);
      return found.length === before + 3 && found;
    });
    expect(new Set(events.slice(0, 3).map(({ metadata }) => metadata['emit_id'])).size).toBe(3);
    expect(events[0]?.event).toMatchObject({ path: '/', body: { same: 1 }, bodyRaw: '{"same":1}' });
  });

  test('takes bodies up to 512 KB, bytes as base64, and refuses larger ones with 413', async () => {
    const before = (await summaries(echo.id)).length;
    const large = await fetch(endpointOf(echo), { method: 'POST', body: Buffer.alloc(512 * 1024, 0xff) });
    expect(large.status).toBe(200);
    const tooLarge = await fetch(endpointOf(echo), { method: 'POST', body: Buffer.alloc(512 * 1024 + 1) });
    expect([tooLarge.status, ((await tooLarge.json()) as { code: string }).code]).toEqual([413, 'too_large']);
    const events = await until('the large event', async () => {
      const found = await summaries(echo.id);
      return found.length === before + 1 && found;
    });
    expect(events[0]?.event).toEqual({ length: Math.ceil((512 * 1024) / 3) * 4, isBase64Encoded: true });
  });

  test('that is unknown, or of a disabled source, is 404 within 5 s; an enabled source answers immediately', async () => {
    const nowhere = await fetch(`${cloud.ingress}/${'0'.repeat(32)}`, { method: 'POST' });
    expect([nowhere.status, ((await nowhere.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    const source = await create(
      `export default { name: 'Off', version: '0.0.1', props: { http: '$.interface.http' }, run() {} };`,
    );
    expect((await fetch(endpointOf(source))).status).toBe(200);
    await api('PUT', `/sources/${source.id}`, { active: false });
    await until('404', async () => (await fetch(endpointOf(source))).status === 404);
    await api('PUT', `/sources/${source.id}`, { active: true });
    expect((await fetch(endpointOf(source))).status).toBe(200);
    await api('DELETE', `/sources/${source.id}`);
    await until('404', async () => (await fetch(endpointOf(source))).status === 404);
  });
});

describe('pages of other origins', () => {
  const ASKED = { origin: 'https://shop.test', 'access-control-request-method': 'POST' };
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  test('read the answer of an endpoint, and its errors; a component with customResponse answers for itself', async () => {
    const accepted = await fetch(endpointOf(echo), {
      method: 'POST',
      headers: { origin: 'https://shop.test' },
    });
    const unknown = await fetch(`${cloud.ingress}/${'0'.repeat(32)}`, { method: 'POST' });
    const own = await fetch(`${endpointOf(custom)}?do=bytes`);
    const failed = await fetch(`${endpointOf(custom)}?do=throw`);
    const workflow = await fetch(`${cloud.ingress}/workflows/p_x/emits`, { method: 'POST' });
    expect([accepted, unknown, own, failed, workflow].map(allowed)).toEqual(['*', '*', null, '*', null]);
    expect(unknown.headers.get('access-control-expose-headers')).toBe('x-request-id, retry-after');
  });

  test('may send to every address; only the preflight of a component with customResponse makes an event', async () => {
    const before = [(await summaries(echo.id)).length, (await summaries(custom.id)).length];
    const preflight = (url: string) => fetch(url, { method: 'OPTIONS', headers: ASKED });
    const responses = await Promise.all([preflight(endpointOf(echo)), preflight(`${cloud.ingress}/${'0'.repeat(32)}`)]);
    for (const each of responses) {
      expect([each.status, allowed(each), each.headers.get('access-control-allow-methods')]).toEqual([
        ...[204, '*', 'POST'],
      ]);
    }
    const own = await preflight(`${endpointOf(custom)}?do=bytes`);
    expect([own.status, allowed(own)]).toEqual([200, null]);
    await until('its event', async () => (await summaries(custom.id)).length > (before[1] ?? 0));
    expect(await summaries(echo.id)).toHaveLength(before[0] ?? 0);
  });
});

describe('a component that answers for itself', () => {
  const ask = (what: string) =>
    fetch(`${endpointOf(custom)}?do=${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });

  test('is the response, when the events of the run are readable; invalid headers are left out', async () => {
    const response = await ask('x');
    expect([response.status, await response.json()]).toEqual([201, { got: { a: 1 } }]);
    expect(response.headers.get('x-own')).toBe('yes');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(response.headers.get('x-bad')).toBeNull();
    expect((await summaries(custom.id))[0]?.event).toEqual({ what: 'x' });
    const [log] = await summaries(custom.id, '$logs');
    expect(JSON.stringify(log?.event)).toContain('x-bad');
  });

  test.each([
    ['nothing', 200, { success: true }],
    ['throw', 500, { code: 'run_failed' }],
  ])('doing %s gives %i', async (what, status, body) => {
    const response = await ask(what);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
    expect((await summaries(custom.id))[0]?.event).toEqual({ what });
  });

  test('may answer bytes', async () => {
    const response = await ask('bytes');
    expect(response.headers.get('content-type')).toBe('image/gif');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 1]);
  });
});

describe('a workflow', () => {
  const credential = 'credential-0123456789';
  let id: WorkflowId;
  beforeAll(async () => {
    const { data: user } = await api<{ id: string }>('GET', '/users/me');
    const client = new DynamoDBClient({ region: 'us-east-1' });
    const { dispatch, outputs } = cloud.cloud.open;
    client.middlewareStack.use(sdkPlugin({ dispatch, role: OPERATOR }));
    id = WorkflowId.parse(newId('workflow', Date.now(), (bytes) => randomBytes(bytes)));
    await workflowStore({
      dynamo: DynamoDBDocumentClient.from(client),
      tableName: outputs['TableName'] ?? '',
    }).create({
      id,
      ownerId: UserId.parse(user.id),
      name: 'w',
      target: 'https://workflow.example',
      credentialHash: createHash('sha256').update(credential).digest('hex'),
      secret: 'whsec_AAAA',
      createdAt: Date.now(),
    });
  });

  const report = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${cloud.ingress}/workflows/${id}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', ...headers },
      body,
    });

  test('emits: 200 with the id of the trigger, and the event on its stream', async () => {
    const response = await report('emits', '{"b":1,"a":2}');
    expect(response.status).toBe(200);
    expect(((await response.json()) as { data: { id: string } }).data.id).toMatch(/^emits-/);
    await report('emits?event_name=named', '{"c":3}');
    const [event] = await until('the event', async () => {
      const found = await summaries(id, '', 'workflows');
      return found.length > 0 && found;
    });
    expect(event?.event).toEqual({ raw_event: { b: 1, a: 2 } });
    expect(event?.metadata).toMatchObject({ emitter_id: id, name: '' });
  });

  test('gets the same response for the same Idempotency-Key, and makes one event', async () => {
    const before = (await summaries(id, '', 'workflows')).length;
    const responses = [];
    for (let n = 0; n < 3; n += 1)
      responses.push(await (await report('emits', '{"once":1}', { 'idempotency-key': 'k' })).json());
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    await report('emits', '{"last":1}');
    const events = await until('both events', async () => {
      const found = await summaries(id, '', 'workflows');
      return found[0]?.event['raw_event'] && JSON.stringify(found[0].event).includes('last') && found;
    });
    expect(events).toHaveLength(before + 2);
  });

  test('reports errors, whose context is filled in', async () => {
    const response = await report(
      'errors',
      JSON.stringify({ original_event: { x: 1 }, error: { code: 'E', stack: 's' } }),
    );
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { id: string } };
    const [error] = await until('the error', async () => {
      const found = (await api<Summary[]>('GET', `/workflows/${id}/$errors/event_summaries`)).data;
      return found.length > 0 && found;
    });
    expect(error?.event).toMatchObject({
      original_event: { x: 1 },
      original_context: {
        id: data.id,
        workflow_id: id,
        deployment_id: '',
        source_type: '',
        verified: false,
        platform_version: VERSION,
      },
      error: { code: 'E', stack: 's', cellId: '' },
    });
  });

  test.each([
    ['a wrong credential', 'emits', '{}', { authorization: 'Bearer wrong' }, 401, 'unauthenticated'],
    ['two credentials', 'emits', '{}', { authorization: `Bearer ${credential}, Bearer x` }, 401, 'unauthenticated'],
    ['broken JSON', 'emits', '{', {}, 400, 'malformed_json'],
    ['a byte order mark', 'emits', '\ufeff{}', {}, 400, 'malformed_json'],
    ['a list', 'errors', '[]', {}, 400, 'invalid_request'],
    ['no body', 'emits', '', {}, 400, 'invalid_request'],
    ['another content type', 'emits', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['too deep a body', 'emits', `{"a":${'['.repeat(257)}${']'.repeat(257)}}`, {}, 400, 'too_deep'],
    ['too large a body', 'emits', JSON.stringify({ a: 'x'.repeat(1024 * 1024) }), {}, 413, 'too_large'],
    ["a stream of the service's own", 'emits?event_name=$errors', '{}', {}, 400, 'invalid_request'],
    ['an error without code', 'errors', '{"original_event":{},"error":{"stack":""}}', {}, 400, 'invalid_request'],
    ['another path', 'elsewhere', '{}', {}, 404, 'not_found'],
  ])('with %s', async (_what, path, body, headers, status, code) => {
    const response = await report(path, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, request_id: response.headers.get('x-request-id') });
  });

  test.each([
    ['a'.repeat(129), 'must have at most 128 characters'],
    ['a%0Ab', 'must not contain control characters'],
    ['$errors', 'must not begin with $'],
  ])('with the stream %s names the problem of event_name', async (name, message) => {
    const response = await report(`emits?event_name=${name}`, '{}');
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: `event_name ${message}.`, details: [{ path: 'event_name', message }] },
    ]);
  });

  test('takes no other method than POST', async () => {
    const response = await fetch(`${cloud.ingress}/workflows/${id}/emits`, {
      headers: { authorization: `Bearer ${credential}` },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
