import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_WAITING_TRIGGERS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { backlogStore } from '../../../../../shared/store/emitters/backlog.ts';
import { type Drained, padded } from '../../../../../shared/store/emitters/backlog-item.ts';
import { type NewWaiting, waitingTriggers } from '../../../../../shared/store/emitters/waiting-triggers.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
let source: Source;
let backlogs: ReturnType<typeof backlogStore>;
let triggers: ReturnType<typeof waitingTriggers>;
beforeEach(async () => {
  stage = await openWorld();
  source = await stage.source();
  backlogs = backlogStore(stage.table);
  triggers = waitingTriggers(stage.table);
});
afterEach(() => stage.close());

const backlogId = padded('7');
const addition = (last: string, count = 1, bytes = 100) => ({
  last: padded(last),
  queue: 'arn:runs',
  queueNumber: 0,
  count,
  bytes,
});
const drainedTo = (position: string, count: number, bytes: number): Drained => ({
  id: backlogId,
  chain: 'a',
  position: padded(position),
  count,
  bytes,
  at: 0,
  firstMs: 0,
  unsaved: 0,
  dropped: 0,
});
const waiting = (sequence: string, rank: NewWaiting['rank'] = 'next'): NewWaiting => ({
  rank,
  sequence: padded(sequence),
  sentAt: stage.clock.now(),
  trigger: stage.trigger(source, { sequence }),
});
const sequencesOf = (found: readonly { sequence: string }[]) => found.map(({ sequence }) => BigInt(sequence));

describe('the backlog of a source', () => {
  test('waits with what was moved and not run, and a source without one is absent', async () => {
    const other = await stage.source();
    await backlogs.begin(source.id, backlogId, addition('16', 10, 1_000));
    await backlogs.add(source.id, backlogId, addition('18', 2, 500));
    const all = () => backlogs.waiting([source.id, other.id]);
    expect(await all()).toEqual(new Map([[source.id, { count: 12, bytes: 1_500 }]]));
    await backlogs.saveDrained(source.id, drainedTo('11', 5, 600));
    expect(await all()).toEqual(new Map([[source.id, { count: 7, bytes: 900 }]]));
  });

  test('is backlogId once, and a repeated request for the same beginning is no failure', async () => {
    expect(await backlogs.begin(source.id, backlogId, addition('9', 3))).toBe(true);
    expect(await backlogs.begin(source.id, backlogId, addition('9', 3))).toBe(true);
    expect(await backlogs.begin(source.id, padded('8'), addition('10', 3))).toBe(false);
    expect(await backlogs.waiting([source.id])).toEqual(new Map([[source.id, { count: 3, bytes: 100 }]]));
  });

  test('counts no trigger twice that is moved twice', async () => {
    await backlogs.begin(source.id, backlogId, addition('9', 3));
    expect(await backlogs.add(source.id, backlogId, addition('12', 3))).toBe(true);
    expect(await backlogs.add(source.id, backlogId, addition('12', 3))).toBe(false);
    expect(await backlogs.add(source.id, backlogId, addition('9', 3))).toBe(false);
    expect((await backlogs.waiting([source.id])).get(source.id)?.count).toBe(6);
  });

  test('does not end when something was moved meanwhile, and nothing is moved to one that has ended', async () => {
    await backlogs.begin(source.id, backlogId, addition('9'));
    await backlogs.add(source.id, backlogId, addition('10'));
    expect(await backlogs.end(source.id, { id: backlogId, last: padded('9') })).toBe(false);
    expect(await backlogs.end(source.id, { id: backlogId, last: padded('10') })).toBe(true);
    expect(await backlogs.add(source.id, backlogId, addition('11'))).toBe(false);
    expect(await backlogs.waiting([source.id])).toEqual(new Map());
  });

  test('does not take the progress of an earlier backlog for its own', async () => {
    await backlogs.begin(source.id, backlogId, addition('9', 3));
    await backlogs.saveDrained(source.id, drainedTo('9', 3, 100));
    await backlogs.end(source.id, { id: backlogId, last: padded('9') });
    await backlogs.saveDrained(source.id, drainedTo('9', 3, 100));
    await backlogs.begin(source.id, padded('20'), addition('21', 2));
    expect((await backlogs.waiting([source.id])).get(source.id)?.count).toBe(2);
  });

  test(`of ${MAX_WAITING_TRIGGERS} triggers costs a list of sources one read of half a unit for each without one`, async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await stage.source()).id));
    const before = stage.units.read;
    await backlogs.waiting(ids);
    expect(stage.units.read - before).toBe(10);
  });
});

describe('the triggers of a backlog', () => {
  test('are read in the order of their numbers, whatever the number of digits, up to the last that is counted', async () => {
    await triggers.put(
      source.id,
      ['100', '9', '11', '101'].map((sequence) => waiting(sequence)),
    );
    const page = await triggers.next(source.id, { last: padded('100'), limit: 10 });
    expect(sequencesOf(page)).toEqual([9n, 11n, 100n]);
    expect(page[0]?.trigger?.kind === 'run' && page[0].trigger.payload).toEqual({ json: '{"sequence":"9"}' });
    expect(sequencesOf(await triggers.next(source.id, { last: padded('100'), limit: 2 }))).toEqual([9n, 11n]);
  });

  test('are stored once, however often they are moved', async () => {
    await triggers.put(source.id, [waiting('9')]);
    await triggers.put(source.id, [waiting('9'), waiting('10')]);
    expect(sequencesOf(await triggers.next(source.id, { last: padded('99'), limit: 10 }))).toEqual([9n, 10n]);
  });

  test('do not contain updates and deletions, which have a list of their own', async () => {
    await triggers.put(source.id, [waiting('9'), waiting('10', 'first'), waiting('11')]);
    expect(sequencesOf(await triggers.first(source.id, 10))).toEqual([10n]);
    expect(sequencesOf(await triggers.next(source.id, { last: padded('99'), limit: 10 }))).toEqual([9n, 11n]);
    await triggers.remove(source.id, await triggers.first(source.id, 10));
    expect(await triggers.first(source.id, 10)).toEqual([]);
  });

  test('tell since when the oldest waits', async () => {
    expect(await backlogs.oldestWaitingSince(source.id)).toBeUndefined();
    const since = stage.clock.now();
    await triggers.put(source.id, [waiting('9')]);
    await stage.clock.advance(60_000);
    await triggers.put(source.id, [waiting('10'), waiting('8', 'first')]);
    expect(await backlogs.oldestWaitingSince(source.id)).toBe(since);
  });

  test('cost two write units each, to store and to remove', async () => {
    const ten = Array.from({ length: 10 }, (_, n) => waiting(String(n + 10)));
    const before = stage.units.write;
    await triggers.put(source.id, ten);
    await triggers.remove(source.id, await triggers.next(source.id, { last: padded('99'), limit: 10 }));
    expect(stage.units.write - before).toBe(20);
  });
});
