import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resumeWork } from '../../../../../bin/admin/commands/suspension.ts';
import { createUnreadableItems } from '../../../../../bin/admin/unreadable-items.ts';
import { MAX_KEPT_TRIGGERS } from '../../../../../shared/domain/limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { readByteCounts, readCounts } from '../../../../../shared/store/counts.ts';
import { deliveryStore } from '../../../../../shared/store/deliveries.ts';
import { deliveryLists } from '../../../../../shared/store/delivery-lists.ts';
import { keptTriggerStore, type KeptTrigger } from '../../../../../shared/store/kept-triggers.ts';
import { waitingKey } from '../../../../../shared/store/keys.ts';
import { webhookStore } from '../../../../../shared/store/webhooks.ts';
import { workflowStore } from '../../../../../shared/store/workflows.ts';
import { emits, ended, type Harness, harness } from '../../../../support/runs-harness.ts';

let stage: Harness;
let source: Source;
beforeEach(async () => {
  stage = await harness();
  await stage.user();
  stage.control.script = (job) => [emits(job.kind === 'run' ? job.event : '{}'), ended()];
  source = await stage.source({ timer: { cron: '* * * * *' } });
  await stage.sources.setSuspension(source.id, { since: stage.clock.now(), kept: 0 });
});
afterEach(() => stage.close());

async function keptOf({ id }: Pick<Source, 'id'>): Promise<KeptTrigger[]> {
  const kept: KeptTrigger[] = [];
  for await (const page of keptTriggerStore(stage.table).pages(id)) kept.push(...page.kept);
  return kept;
}
const rewrite = (key: object, json: string) =>
  stage.table.dynamo.send(
    new UpdateCommand({
      TableName: stage.table.tableName,
      Key: key,
      UpdateExpression: 'SET json = :json',
      ExpressionAttributeValues: { ':json': json },
    }),
  );
const payloads = async () => (await keptOf(source)).map(({ trigger }) => trigger.payload);
const countsOf = async () => ({
  ...(await readCounts(stage.table, stage.ownerId)),
  ...(await readByteCounts(stage.table, stage.ownerId)),
});

describe('a suspended source', () => {
  test('keeps its triggers in their order, and runs none', async () => {
    const received = stage.received([stage.trigger(source, { n: 1 }), stage.trigger(source, { n: 2 })]);
    expect(await stage.execute(received)).toEqual({ completed: 2 });
    expect(stage.requests).toEqual([]);
    expect(await payloads()).toEqual([{ json: '{"n":1}' }, { json: '{"n":2}' }]);
    expect(await countsOf()).toMatchObject({ keptTriggers: 2, keptBytes: expect.any(Number) as number });
    expect((await stage.services.emitters.load(source.id)).state.runs.text).toBe('');
  });

  test('keeps a trigger once that comes again', async () => {
    const received = stage.received([stage.trigger(source, { n: 1 })]);
    const save = () => Promise.reject(new Error('no state is saved'));
    const failing = { ...stage.services, emitters: { ...stage.services.emitters, save } };
    expect(await stage.execute(received, { with: failing })).toMatchObject({ completed: 0 });
    await stage.execute(received);
    expect(await payloads()).toEqual([{ json: '{"n":1}' }]);
    expect(await countsOf()).toMatchObject({ keptTriggers: 1 });
  });

  test('drops ticks, and leaves no record of them', async () => {
    const tick = stage.trigger(source, {}, { cause: 'timer', generation: source.generation });
    expect(await stage.execute(stage.received([tick]))).toEqual({ completed: 1 });
    expect(stage.requests).toEqual([]);
    expect(await keptOf(source)).toEqual([]);
    expect((await stage.services.emitters.load(source.id)).state.runs.text).toBe('');
  });

  test('accepts no more at its limit, and still keeps what was accepted before', async () => {
    await stage.sources.setSuspension(source.id, { since: 0, kept: MAX_KEPT_TRIGGERS.source - 1 });
    const isFull = async () => (await stage.sources.find(source.id))?.suspension?.isFull;
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await isFull()).toBeUndefined();
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await isFull()).toBe(true);
    expect(await keptOf(source)).toHaveLength(2);
  });

  test('that is resumed while a batch is under way keeps nothing: the triggers come again', async () => {
    const received = stage.received([stage.trigger(source, { n: 1 })]);
    const { load } = stage.services.emitters;
    const emitters: typeof stage.services.emitters = {
      ...stage.services.emitters,
      async load(id) {
        const emitter = await load(id);
        await stage.sources.setSuspension(source.id, undefined);
        return emitter;
      },
    };
    expect(await stage.execute(received, { with: { ...stage.services, emitters } })).toMatchObject({
      completed: 0,
      error: { code: 'unavailable' },
    });
    expect(await keptOf(source)).toEqual([]);
    await stage.execute(received);
    expect(stage.requests).toHaveLength(1);
  });

  test('leaves nothing behind when it is deleted', async () => {
    await stage.execute(stage.received([stage.trigger(source), stage.trigger(source)]));
    await stage.sources.tombstone(source.id);
    const purge = { kind: 'purge', id: 'p', emitterId: source.id, ownerId: stage.ownerId, at: 0 } as const;
    expect(await stage.execute(stage.received([purge]))).toEqual({ completed: 1 });
    expect(await keptOf(source)).toEqual([]);
    expect(await countsOf()).toMatchObject({ keptTriggers: 0, keptBytes: 0 });
  });

  test('leaves nothing behind either when a trigger that it kept cannot be read', async () => {
    await stage.execute(stage.received([stage.trigger(source), stage.trigger(source)]));
    const [first] = await keptOf(source);
    await rewrite(waitingKey(source.id, 'kept', first?.sequence ?? ''), '{"kind":"of a later release"}');
    await stage.sources.tombstone(source.id);
    const purge = { kind: 'purge', id: 'p', emitterId: source.id, ownerId: stage.ownerId, at: 0 } as const;
    expect(await stage.execute(stage.received([purge]))).toEqual({ completed: 1 });
    for await (const page of keptTriggerStore(stage.table).pages(source.id))
      expect(page).toEqual({ kept: [], unreadable: [] });
    expect(await countsOf()).toMatchObject({ keptTriggers: 0, keptBytes: 0 });
  });

  test.each(['{"kind":"of a later release"}', '{'])(
    'goes on when its user is resumed: a kept trigger that cannot be read, %s, is named and stays',
    async (json) => {
      const numbered = [1, 2, 3].map((n) => stage.trigger(source, { n }));
      await stage.execute(stage.received(numbered));
      const [first, second, third] = (await keptOf(source)).map((each) => each.sequence);
      const sequence = second ?? '';
      await rewrite(waitingKey(source.id, 'kept', sequence), json);
      const sent: string[] = [];
      const { table } = stage;
      const now = () => stage.clock.now();
      const operator = {
        sources: stage.sources,
        webhooks: webhookStore(table),
        workflows: workflowStore(table),
        deliveries: deliveryStore(table, now),
        deliveryLists: deliveryLists(table),
        keptTriggers: keptTriggerStore(table),
        sendKeptTriggers: (kept: readonly { sequence: string }[]) =>
          Promise.resolve(void sent.push(...kept.map((each) => each.sequence))),
        sendRetry: () => Promise.reject(new Error('There are no deliveries')),
        unreadable: createUnreadableItems(),
        now,
      };
      const unreadable = [{ source: source.id, triggers: [sequence] }];
      expect(await resumeWork(operator, stage.ownerId, 0)).toEqual({
        triggers: 2,
        deliveries: 0,
        unreadable,
      });
      expect(sent).toEqual([first, third]);
      expect(await stage.sources.find(source.id)).not.toHaveProperty('suspension');
      // A later call, by the release that kept it, finds it again.
      expect(await resumeWork(operator, stage.ownerId, 0)).toEqual({
        triggers: 0,
        deliveries: 0,
        unreadable,
      });
    },
  );
});
