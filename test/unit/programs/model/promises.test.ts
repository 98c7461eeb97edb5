import { describe, expect, test } from 'vitest';
import { type Change, History, type Request } from '../../../programs/model/history.ts';
import { brokenPromises, type Seen } from '../../../programs/model/promises.ts';
import { type SeenWebhook, webhookPromises } from '../../../programs/model/webhook-promises.ts';

/**
 * The model test relies on these checks: each finds its broken promise, and accepts what requests without a response
 * may have done.
 */

const NOTHING: Seen = {
  streams: [],
  deliveries: [],
  db: new Map(),
  redriven: new Set(),
  webhooks: [],
  leftOver: {},
};
const hook = { listenerId: 'wh_1', emitterId: 'dc_1', stream: 'default' };
const key = { emitter: 'dc_1', listenerId: 'wh_1', stream: 'default' };

let history: History;
const done = (request: Request, isAcknowledged = true) =>
  history.record(request, () => Promise.resolve(isAcknowledged));
const subscribe = (to: Change['to'] = 'on', isAcknowledged = true) =>
  done(history.beginSubscription(key, to), isAcknowledged);
const send = (n: string, isAcknowledged = true) =>
  done(history.beginSent({ n, emitterId: 'dc_1', stream: 'default' }), isAcknowledged);
const stored = (...events: string[]) => [{ emitterId: 'dc_1', stream: 'default', events }];
const broken = (seen: Partial<Seen>) => brokenPromises(history, { ...NOTHING, ...seen });

async function start(): Promise<void> {
  history = new History();
  for (const id of ['dc_1', 'wh_1']) await done(history.beginLife(id, 'on'));
}

describe('an acknowledged event', () => {
  test('is stored and reaches its subscriber', async () => {
    await start();
    await subscribe();
    await send('a');
    expect(broken({ streams: stored('a'), deliveries: [{ ...hook, n: 'a' }] })).toEqual([]);
    expect(broken({ deliveries: [{ ...hook, n: 'a' }] })).toEqual([
      'the acknowledged event a of dc_1 is not in its stream default',
    ]);
    expect(broken({ streams: stored('a') })).toEqual(['the event a of dc_1 did not reach wh_1']);
  });

  test('may be trimmed when the stream is full, or deleted', async () => {
    await start();
    await send('a');
    const full = Array.from({ length: 100 }, (_, index) => `m${index}`);
    expect(broken({ streams: stored(...full) })).toEqual([]);
    await done(history.beginDeletion('dc_1'));
    expect(broken({ streams: stored() })).toEqual([]);
  });

  test.each<[string, () => Promise<void>]>([
    ['a subscription that was not acknowledged', () => subscribe('on', false)],
    ['a subscription that ends later', async () => (await subscribe(), await subscribe('off', false))],
    ['a webhook that is deleted later', async () => (await subscribe(), await done(history.beginLife('wh_1', 'off')))],
  ])('need not reach %s, but may', async (_, change) => {
    await start();
    await change();
    await send('a');
    expect(broken({ streams: stored('a') }).filter((text) => !text.includes('no subscription'))).toEqual([]);
  });

  test('reaches a glob through a subscription that was made again', async () => {
    await start();
    const glob = { ...key, emitter: 'dc_*' };
    for (const to of ['on', 'off', 'on'] as const) await done(history.beginSubscription(glob, to));
    await send('a');
    expect(broken({ streams: stored('a') })).toEqual(['the event a of dc_1 did not reach wh_1']);
  });

  test('is emitted again by a source that listens', async () => {
    await start();
    await done(history.beginLife('dc_2', 'on'));
    await done(history.beginSubscription({ ...key, listenerId: 'dc_2' }, 'on'));
    await send('a');
    expect(broken({ streams: stored('a') })).toEqual(['the acknowledged event a of dc_2 is not in its stream default']);
  });
});

test('a delivery needs a subscription that may have been on since its event was sent', async () => {
  await start();
  await subscribe();
  await subscribe('off');
  await send('a', false);
  const late = { deliveries: [{ ...hook, n: 'a' }] };
  expect(broken(late)).toHaveLength(1);
  await subscribe('on', false);
  expect(broken(late)).toEqual([]);
});

test('a stream has the order of acknowledgements, each event once, but for emitters with redriven triggers', async () => {
  await start();
  await send('a');
  await send('b');
  expect(broken({ streams: stored('b', 'a') })).toEqual(['a is behind b in the stream default of dc_1']);
  expect(broken({ streams: stored('a', 'a', 'b') })).toEqual(['the event a is twice in the stream default of dc_1']);
  expect(broken({ streams: stored('b', 'a'), redriven: new Set(['dc_1']) })).toEqual([]);
});

test('db has every acknowledged change, once', async () => {
  await start();
  await send('a');
  const streams = stored('a');
  expect(broken({ streams, db: new Map([['dc_1', []]]) })).toEqual(['db of dc_1 lost the change of a']);
  expect(broken({ streams, db: new Map([['dc_1', ['a', 'a']]]) })).toEqual(['db of dc_1 has the change of a twice']);
});

test('nothing is left in a queue', () => {
  history = new History();
  expect(broken({ leftOver: { 'messages in retries': 2, schedules: 0 } })).toEqual([
    'messages in retries: 2 left after all work has ended',
  ]);
});

describe('a webhook that works again', () => {
  const request = {
    event: 'e',
    emitterId: 'dc_1',
    stream: 'default',
    n: 'a',
    status: 200,
    isSigned: true,
    isCalm: false,
  };
  const calm = { ...request, isCalm: true };
  const working: SeenWebhook = {
    id: 'wh_1',
    heldCount: 0,
    failingSince: null,
    lastOutcome: 'delivered',
    deliveries: [{ event: 'e', status: 'delivered', attempts: 1, answered: 1 }],
    redelivered: [],
    requests: [request],
  };
  const brokenBy = (more: Partial<SeenWebhook>, isSubscribed = true) =>
    webhookPromises({ ...working, ...more }, () => isSubscribed);

  test('shows what its receiver saw', () => {
    expect(brokenBy({})).toEqual([]);
  });

  test('may have received more than its log shows while functions died', () => {
    expect(brokenBy({ deliveries: [] }, false)).toEqual([]);
    expect(brokenBy({ requests: [request, calm] })).toEqual([]);
    expect(brokenBy({ requests: [request, calm], before: { requests: 1, attempts: new Map() } })).toEqual([]);
  });

  test.each<[Partial<SeenWebhook>, RegExp]>([
    [{ deliveries: [] }, /its log does not show/],
    [{ deliveries: [{ event: 'e', status: 'retrying', attempts: 1, answered: 1 }] }, /shows e as retrying/],
    [
      { deliveries: [{ event: 'e', status: 'delivered', attempts: 2, answered: 2 }] },
      /counts 2 attempts of e, but wh_1 received 1/,
    ],
    [
      { requests: [calm, calm], before: { requests: 0, attempts: new Map() } },
      /after the storm, the log of wh_1 counts 1 attempts of e, but wh_1 received 2/,
    ],
    [{ requests: [{ ...request, status: 500 }], lastOutcome: 'rejected' }, /did not accept it/],
    [{ requests: [{ ...request, isSigned: false }] }, /without a signature/],
    [{ redelivered: [{ event: 'e', attempts: 1 }] }, /has no attempt 2 of e/],
    [{ heldCount: 1 }, /holds 1 deliveries/],
    [{ failingSince: 1 }, /shown as failing/],
    [{ lastOutcome: null }, /shown as null, not delivered/],
  ])('%j is a broken promise', (more, sentence) => {
    expect(brokenBy(more)).toEqual([expect.stringMatching(sentence)]);
  });

  test('shows what it received after the storm, also when it is no longer subscribed', () => {
    expect(brokenBy({ deliveries: [], requests: [calm] }, false)).toEqual([
      'wh_1 received e, which its log does not show',
    ]);
  });
});
