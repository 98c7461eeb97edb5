import type { Message, QueueName } from './queue-messages.ts';

/** Roles of the sources and webhooks in a recorded data directory, as `record.ts` names them. */
type Ids = Record<'echo' | 'hourly' | 'often' | 'failing' | 'held' | 'recovering', string> & {
  owner: string;
  delivery: string;
  recovery: string;
};

/**
 * One message of each kind with all of its fields, about what a recording has. A field that a kind can have in several
 * forms has a message for each form.
 */
export function sampleMessages(ids: Ids, at: number): Record<QueueName, readonly Message[]> {
  const payload = { json: '{"sample":true}' };
  const chain = {
    hops: 1,
    passed: [ids.hourly],
    left: 999,
    trace: { id: '0af7651916cd43dd8448eb211c80319c', flags: '01', state: 'a=b' },
  };
  const trigger = (id: string, emitterId = ids.echo) => ({ id, emitterId, ownerId: ids.owner, at });
  const tick = { sourceId: ids.often, ownerId: ids.owner, generation: 1 };
  const heartbeat = { kind: 'heartbeat', scheduledAt: new Date(at + 60_000).toISOString() };
  const eventId = `${at}-1`;
  const http = JSON.stringify({
    method: 'POST',
    path: '/',
    query: {},
    headers: {},
    bodyRaw: '{"sample":true}',
  });
  return {
    runs: [
      { kind: 'run', ...trigger('http-1'), cause: 'http', payload: { json: http }, body: 'json', ...chain },
      { kind: 'run', ...trigger('tick-1', ids.often), cause: 'timer', payload, ...chain, generation: 1 },
      { kind: 'run', ...trigger('source-1'), cause: 'source', payload: { key: 'payloads/sample' }, ...chain },
      {
        kind: 'emit',
        ...trigger('emit-1'),
        stream: 'default',
        payload,
        ...chain,
        emit: { id: 'own', summary: 'Sample', ts: at },
      },
      { kind: 'emit', ...trigger('held-1'), stream: 'default', ...chain, delayedEventId: eventId },
      { kind: 'lifecycle', ...trigger('lifecycle-1'), revision: 2 },
      {
        kind: 'delete-events',
        ...trigger('delete-1'),
        ranges: [{ stream: 'default', from: `${at - 86_400_000}-0`, to: eventId }],
      },
      { kind: 'delete-triggers', ...trigger('drop-1') },
      { kind: 'reset-dedupe', ...trigger('reset-dedupe-1') },
      { kind: 'purge', ...trigger('purge-1') },
      { kind: 'drain', ...trigger('drain-1'), backlog: '1', chain: '1', number: 2 },
      { kind: 'tick', ...tick, scheduledAt: new Date(at).toISOString() },
    ],
    deliveries: [
      {
        emitterId: ids.echo,
        ownerId: ids.owner,
        stream: 'default',
        eventId,
        emitId: 'LiQmnYN22kcs-62eXGkY15',
        indexedAt: at,
        payload,
        isMarked: true,
        ...chain,
        after: 'wh_0',
      },
    ],
    retries: [
      { kind: 'retry', deliveryId: ids.delivery, listenerId: ids.failing, turn: 2 },
      { kind: 'redeliver', deliveryId: ids.delivery, listenerId: ids.failing, request: 'request-1' },
      { kind: 'probe', listenerId: ids.failing, probe: 1 },
      { kind: 'drain', listenerId: ids.failing },
      { kind: 'hold', listenerId: ids.held, after: ids.delivery },
      { kind: 'keep', listenerId: ids.failing },
      { kind: 'forget', listenerId: ids.failing, ownerId: ids.owner, after: ids.delivery, isSecond: true },
      { kind: 'recover', listenerId: ids.recovering, recoveryId: ids.recovery, part: 0 },
      heartbeat,
    ],
    timers: [
      {
        kind: 'minute',
        ...tick,
        intervalSeconds: 15,
        anchor: at,
        scheduledAt: new Date(at + 60_000).toISOString(),
      },
      { kind: 'due', ...tick, dueAt: at },
      { kind: 'idle-accounts', after: { client: 'oc_sample', key: 'sub-1#apn_sample' } },
      { kind: 'metrics', after: ids.owner },
      { kind: 'metrics-of-user', ownerId: ids.owner, list: 'sources', after: ids.echo },
      { kind: 'metrics-of-user', ownerId: ids.owner, list: 'webhooks', after: ids.failing },
      { kind: 'flight', attemptId: 'ca_sample', stateHash: 'a'.repeat(64) },
      heartbeat,
    ],
  };
}
