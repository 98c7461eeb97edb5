import { describe, expect, test } from 'vitest';
import { MAX_QUEUED_MESSAGES, MAX_WAITING_TRIGGERS } from '../../../../../shared/domain/run/backlog-limits.ts';
import { createEndpointResolver } from '../../../../../shared/service/sources/endpoint-resolver.ts';
import { createAdmission } from '../../../../../shared/service/admission/admission.ts';
import { createEndpoint } from '../../../../../shared/http/ingress/endpoint.ts';
import { createIngressReader, type IngressEvent } from '../../../../../shared/http/ingress/ingress-request.ts';
import { ComponentId, SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { PendingRevision, Source, SourceState, Suspension } from '../../../../../shared/domain/source/source.ts';
import type { HookName } from '../../../../../shared/domain/component/source-traits.ts';

const sourceId = SourceId.parse('dc_1');
const ownerId = UserId.parse('u_1');
const request = (rawPath = '/endpoint'): IngressEvent => ({
  rawPath,
  rawQueryString: '',
  headers: {},
  isBase64Encoded: false,
  requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '192.0.2.1' } },
});

interface Opened {
  isOver?: boolean;
  waiting?: number;
  queued?: number;
  customResponse?: boolean;
  suspension?: Suspension;
}

function open({ isOver = false, waiting, queued = 0, customResponse = false, suspension }: Opened = {}) {
  const sent: Trigger[] = [];
  const clock = { now: Date.UTC(2026, 0, 1, 23, 59) };
  const endpoint = { sourceId, ownerId, customResponse, appHook: undefined, waiting, suspension };
  const endpointHandler = createEndpoint({
    resolveEndpoint: (id) => Promise.resolve(id === 'endpoint' ? endpoint : undefined),
    admission: createAdmission({
      storage: { isFull: () => Promise.resolve(false), isFullFor: () => Promise.resolve(false) },
      quotas: { isOver: () => Promise.resolve(isOver) },
      queueDepth: () => Promise.resolve(queued),
      now: () => clock.now,
    }),
    sendTrigger: (trigger) => Promise.resolve(void sent.push(trigger)),
    runSynchronously: () => Promise.reject(new Error('not asked for')),
    now: () => clock.now,
  });
  const read = createIngressReader('https://in.example');
  const handle = (event: IngressEvent) => endpointHandler(read(event), () => undefined);
  return { handle, sent, clock };
}

describe('an endpoint', () => {
  test('of a user over quota is refused until 00:00 UTC, with one event for the source', async () => {
    const { handle, sent } = open({ isOver: true });
    for (let n = 0; n < 3; n += 1) {
      await expect(handle(request())).rejects.toMatchObject({
        code: 'quota_exceeded',
        retryAfterSeconds: 60,
      });
    }
    expect(sent).toMatchObject([{ kind: 'emit', stream: '$errors', emitterId: sourceId }]);
  });

  test.each<[string, Opened]>([
    ['that has no backlog, while the queue is full', { queued: MAX_QUEUED_MESSAGES + 1 }],
    ['that is behind', { waiting: MAX_WAITING_TRIGGERS - 1 }],
    ['that is behind, while the queue is nearly full', { waiting: 1, queued: MAX_QUEUED_MESSAGES }],
    ['of a suspended user', { suspension: { since: 0 }, waiting: 1 }],
  ])('of a source %s refuses nothing', async (_, options) => {
    const { handle, sent } = open(options);
    expect(await handle(request())).toMatchObject({ status: 200, body: '{"success":true}' });
    expect(sent).toMatchObject([{ kind: 'run', emitterId: sourceId }]);
  });

  test.each<[string, Opened, number]>([
    [`for which ${MAX_WAITING_TRIGGERS} triggers wait`, { waiting: MAX_WAITING_TRIGGERS }, 60],
    ['that is behind, while the queue is full', { waiting: 0, queued: MAX_QUEUED_MESSAGES + 1 }, 10],
  ])('of a source %s refuses requests, and says when to come again', async (_, options, retryAfterSeconds) => {
    const { handle, sent } = open(options);
    await expect(handle(request())).rejects.toMatchObject({ code: 'lagging', retryAfterSeconds });
    expect(sent).toMatchObject([{ kind: 'emit', stream: '$errors' }]);
  });

  test('of a suspended user refuses a request to a source that makes responses of its own', async () => {
    const { handle, sent } = open({ customResponse: true, suspension: { since: 0 } });
    await expect(handle(request())).rejects.toMatchObject({ kind: 'forbidden', code: 'suspended' });
    expect(sent).toEqual([]);
  });

  test.each([
    ['that is open', {}, '/endpoint'],
    ['that leads nowhere', {}, '/other'],
    ['of a user over quota', { isOver: true }, '/endpoint'],
    ['that is behind', { waiting: MAX_WAITING_TRIGGERS }, '/endpoint'],
    ['of a suspended user', { suspension: { since: 0 } }, '/endpoint'],
  ])('%s answers a preflight, and makes no event of it', async (_, options, path) => {
    const { handle, sent } = open(options);
    const { requestContext, ...rest } = request(path);
    const preflight = {
      ...rest,
      headers: { 'access-control-request-method': 'POST' },
      requestContext: { ...requestContext, http: { ...requestContext.http, method: 'OPTIONS' } },
    };
    expect(await handle(preflight)).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*' },
    });
    expect(sent).toEqual([]);
  });

  test.each(['/', '/other', '/endpoint.x'])('%s leads nowhere', async (path) => {
    await expect(open().handle(request(path))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the cached state of an endpoint', () => {
  const world = (state: SourceState) => {
    let reads = 0;
    const at: { now: number; state: SourceState; pending?: PendingRevision } = { now: 0, state };
    const source = (): Source => ({
      id: sourceId,
      ownerId,
      state: at.state,
      generation: 1,
      configuration: {
        componentId: ComponentId.parse('sc_1'),
        bundleHash: '',
        configuredProps: {},
        name: '',
        nameSlug: '',
        active: true,
        endpoint: 'path',
        tags: [],
      },
      traits: { hasRun: true, hooks: [], customResponse: false },
      ...(at.pending ? { pending: at.pending } : {}),
      createdAt: 0,
      updatedAt: 0,
    });
    const find = createEndpointResolver({
      sources: {
        findByEndpoint: () => {
          reads += 1;
          return Promise.resolve(sourceId);
        },
        find: () => Promise.resolve(source()),
      },
      accounts: { fieldOf: () => Promise.resolve(undefined) },
      backlogs: { waiting: () => Promise.resolve(new Map([[sourceId, { count: 7, bytes: 0 }]])) },
      now: () => at.now,
    });
    return { find, at, source, reads: () => reads };
  };

  test('is read once for requests within three seconds, also for concurrent ones', async () => {
    const { find, at, reads } = world('active');
    await Promise.all(Array.from({ length: 50 }, () => find('e')));
    at.now = 2_999;
    await find('e');
    expect(reads()).toBe(1);
    at.now = 3_000;
    at.state = 'inactive';
    expect(await find('e')).toBeUndefined();
    expect(reads()).toBe(2);
  });

  test('is read for each request while it is refused, so that it opens immediately', async () => {
    const { find, at } = world('inactive');
    expect(await find('e')).toBeUndefined();
    at.state = 'active';
    expect(await find('e')).toMatchObject({ sourceId });
  });

  test.each<[SourceState, boolean]>([
    ['creating', true],
    ['activating', true],
    ['active', true],
    ['inactive', false],
    ['failed', false],
    ['deleting', false],
  ])('a source that is %s: open %s', async (state, isOpen) => {
    expect((await world(state).find('e')) !== undefined).toBe(isOpen);
  });
  test.each<[SourceState, HookName | undefined, 'refused' | 'by the old code' | 'by the new code']>([
    ['creating', 'deploy', 'by the old code'],
    ['active', undefined, 'by the old code'],
    ['active', 'deactivate', 'by the old code'],
    ['active', 'activate', 'by the new code'],
    ['inactive', undefined, 'refused'],
    ['inactive', 'activate', 'by the new code'],
    ['failed', 'activate', 'by the new code'],
    ['deleting', 'activate', 'refused'],
  ])('a source that is %s while a revision runs %s: %s', async (state, hook, expected) => {
    const { find, at, source } = world(state);
    const { configuration, traits } = source();
    at.pending = {
      revision: 2,
      since: 0,
      triggerId: 't',
      configuration,
      traits: { ...traits, customResponse: true },
      hooks: ['deactivate', 'activate'],
      ...(hook ? { hook } : {}),
    };
    const endpoint = await find('e');
    expect(endpoint?.waiting ?? 7).toBe(7);
    const seen = endpoint?.customResponse ? 'by the new code' : 'by the old code';
    expect(endpoint ? seen : 'refused').toBe(expected);
  });

  test.each([undefined, 'deactivate' as const])(
    'closes by the update that disables its source, whatever waits before the update: hook %s',
    async (hook) => {
      const { find, at, source } = world('active');
      const { configuration, traits } = source();
      expect(await find('e')).toBeDefined();
      at.now = 3_000;
      at.pending = {
        revision: 2,
        since: 0,
        triggerId: 't',
        configuration: { ...configuration, active: false },
        traits,
        hooks: ['deactivate'],
        ...(hook ? { hook } : {}),
      };
      expect(await find('e')).toBeUndefined();
    },
  );
});
