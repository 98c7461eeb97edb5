import type { SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createRunBatch } from '../../../../shared/lambda/run-batch.ts';
import type { Group, GroupResult } from '../../../../shared/domain/run/received-trigger.ts';
import { createLog } from '../../../../shared/lambda/log.ts';

const trigger = (group: string, id: string) =>
  JSON.stringify({
    kind: 'run',
    id,
    emitterId: group,
    ownerId: 'u_1',
    at: 0,
    cause: 'http',
    payload: { json: '{}' },
    hops: 0,
  });

let sequence = 0;
const record = (group: string, id: string, { receives = 1, sentAt = 1, body = trigger(group, id) } = {}) => ({
  messageId: id,
  receiptHandle: `handle-${id}`,
  body,
  eventSourceARN: 'arn:runs',
  attributes: {
    MessageGroupId: group,
    SequenceNumber: String((sequence += 1)).padStart(20, '0'),
    SentTimestamp: String(sentAt),
    ApproximateFirstReceiveTimestamp: '1',
    ApproximateReceiveCount: String(receives),
  },
});

const drainRecord = (source: string, id: string, sentAt: number) => {
  const body = {
    kind: 'drain',
    id,
    emitterId: source,
    ownerId: 'u_1',
    at: 0,
    backlog: '1',
    chain: 'c',
    number: 0,
  };
  return record(`${source}-backlog`, id, { sentAt, body: JSON.stringify(body) });
};

function open(execute: (group: Group) => Promise<GroupResult>, now: () => number = () => 0, runnersPerBatch = 10) {
  const aside: string[] = [];
  const removed: string[] = [];
  const released: { handle: string; seconds: number }[] = [];
  const handler = createRunBatch({
    setAside: async (records) => void aside.push(...records.map(({ messageId }) => messageId)),
    execute,
    receipts: {
      remove: async (handles) => void removed.push(...handles),
      release: async (messages) => void released.push(...messages),
    },
    runTimeoutMs: 60_000,
    runnersPerBatch,
    now,
    log: createLog('error', 'test'),
  });
  const run = async (...records: ReturnType<typeof record>[]) => {
    const { batchItemFailures } = await handler({ Records: records } as unknown as SQSEvent, {
      awsRequestId: 'batch',
    });
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  return { run, aside, removed, released };
}

describe('a batch of runs.fifo', () => {
  test('runs groups concurrently, each in its own order', async () => {
    const groups: string[][] = [];
    let running = 0;
    let highest = 0;
    const { run } = open(async ({ received }) => {
      highest = Math.max(highest, (running += 1));
      groups.push(received.map(({ trigger: { id } }) => id));
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return { completed: received.length };
    });
    expect(await run(record('dc_a', 'a1'), record('dc_b', 'b1'), record('dc_a', 'a2'))).toEqual([]);
    expect(groups).toEqual([['a1', 'a2'], ['b1']]);
    expect(highest).toBe(2);
  });

  test('executes as many groups of sources at the same time as it may use runners, the oldest first', async () => {
    const order: string[] = [];
    let running = 0;
    const { run } = open(
      async ({ emitterId, received }) => {
        order.push(`${emitterId} with ${running}`);
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return { completed: received.length };
      },
      () => 0,
      1,
    );
    const failed = await run(
      record('dc_c', 'c1', { sentAt: 3 }),
      record('dc_a', 'a1', { sentAt: 1 }),
      record('dc_b', 'b1', { sentAt: 2 }),
      record('dc_a', 'a2', { sentAt: 4 }),
    );
    expect(failed).toEqual([]);
    expect(order).toEqual(['dc_a with 0', 'dc_b with 0', 'dc_c with 0']);
  });

  test('executes slices of backlogs after all other groups, the oldest slice first', async () => {
    const order: string[] = [];
    const { run } = open(
      async ({ received }) => {
        order.push(...received.map(({ trigger: { id } }) => id));
        return Promise.resolve({ completed: received.length });
      },
      () => 0,
      1,
    );
    await run(
      drainRecord('dc_a', 'slice-2', 2),
      record('dc_b', 'b1', { sentAt: 9 }),
      drainRecord('dc_c', 'slice-1', 1),
      record('dc_a', 'a1', { sentAt: 8 }),
    );
    expect(order).toEqual(['a1', 'b1', 'slice-1', 'slice-2']);
  });

  test('returns the message of a slice after its pause', async () => {
    const { run, released } = open(() => Promise.resolve({ completed: 0, pauseSeconds: 2 }));
    expect(await run(drainRecord('dc_a', 'slice', 1))).toEqual(['slice']);
    expect(released).toEqual([{ handle: 'handle-slice', seconds: 2 }]);
  });

  test('does not let a workflow, which needs no runner, wait for one', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (release = resolve));
    const { run } = open(
      async ({ emitterId, received }) => {
        if (emitterId === 'p_w') release();
        else await waits;
        order.push(emitterId);
        return { completed: received.length };
      },
      () => 0,
      1,
    );
    await run(record('dc_a', 'a1', { sentAt: 1 }), record('p_w', 'w1', { sentAt: 2 }));
    expect(order).toEqual(['p_w', 'dc_a']);
  });

  test('names failed and unstarted messages, and none of other groups', async () => {
    const { run, released } = open(async ({ emitterId, received }) =>
      emitterId === 'dc_a' ? { completed: 1, error: new Error('no') } : { completed: received.length },
    );
    const failed = await run(
      record('dc_a', 'a1'),
      record('dc_a', 'a2', { receives: 3 }),
      record('dc_a', 'a3'),
      record('dc_b', 'b1'),
    );
    expect(failed).toEqual(['a2', 'a3']);
    expect(released).toEqual([
      { handle: 'handle-a2', seconds: 8 },
      { handle: 'handle-a3', seconds: 0 },
    ]);
  });

  test('lets what failed again and again wait at most five minutes', async () => {
    const { run, released } = open(async () => ({ completed: 0, error: new Error('no') }));
    await run(record('dc_a', 'a1', { receives: 19 }));
    expect(released).toEqual([{ handle: 'handle-a1', seconds: 300 }]);
  });

  test('sets aside a trigger that failed 20 times, alone: those behind it get attempts of their own', async () => {
    const { run, aside, released } = open(async () => ({ completed: 0, error: new Error('no') }));
    expect(await run(record('dc_a', 'a1', { receives: 20 }), record('dc_a', 'a2', { receives: 20 }))).toEqual(['a2']);
    expect([aside, released]).toEqual([['a1'], [{ handle: 'handle-a2', seconds: 0 }]]);
    expect(await run(record('dc_a', 'a2', { receives: 21 }))).toEqual(['a2']);
    expect(await run(record('dc_a', 'a2', { receives: 39 }))).toEqual(['a2']);
    expect(await run(record('dc_a', 'a2', { receives: 40 }))).toEqual([]);
    expect(aside).toEqual(['a1', 'a2']);
  });

  test('sets aside no trigger that only waited, nor a message of a backlog', async () => {
    const waiting = open(async () => ({ completed: 0 }));
    expect(await waiting.run(record('dc_a', 'a1', { receives: 20 }))).toEqual(['a1']);
    const behind = open(async () => ({ completed: 1, error: new Error('no') }));
    const two = [record('dc_a', 'a1', { receives: 20 }), record('dc_a', 'a2', { receives: 20 })];
    expect(await behind.run(...two)).toEqual(['a2']);
    const backlog = open(async () => ({ completed: 0, error: new Error('no') }));
    const slice = drainRecord('dc_a', 'slice', 1);
    slice.attributes.ApproximateReceiveCount = '20';
    expect(await backlog.run(slice)).toEqual(['slice']);
    expect([...waiting.aside, ...behind.aside, ...backlog.aside]).toEqual([]);
  });

  test('returns messages that ran out of time immediately', async () => {
    const { run, released } = open(async () => ({ completed: 1 }));
    expect(await run(record('dc_a', 'a1'), record('dc_a', 'a2'))).toEqual(['a2']);
    expect(released).toEqual([{ handle: 'handle-a2', seconds: 0 }]);
  });

  test('acknowledges a group that is done while another one still runs', async () => {
    let finish: (() => void) | undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const { run, removed } = open(async ({ emitterId, received }) => {
      if (emitterId === 'dc_slow') await slow;
      return { completed: received.length };
    });
    const running = run(record('dc_slow', 's1'), record('dc_a', 'a1'), record('dc_a', 'a2'));
    while (removed.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(removed).toEqual(['handle-a1', 'handle-a2']);
    finish?.();
    expect(await running).toEqual([]);
  });

  test('acknowledges by its response alone when all groups end together', async () => {
    const { run, removed } = open(async ({ received }) => ({ completed: received.length }));
    await run(record('dc_a', 'a1'), record('dc_b', 'b1'));
    expect(removed).toEqual([]);
  });

  test('starts nothing that could not end within 255 s', async () => {
    let clock = 0;
    const may: boolean[] = [];
    const { run } = open(
      async ({ mayStart, received, startBefore }) => {
        expect(startBefore).toBe(195_000);
        for (const at of [0, 195_000, 195_001]) {
          clock = at;
          may.push(mayStart(60_000));
        }
        return { completed: received.length };
      },
      () => clock,
    );
    await run(record('dc_a', 'a1'));
    expect(may).toEqual([true, true, false]);
  });

  test('a message that cannot be read becomes a dead letter, and its group goes on', async () => {
    const { run, aside } = open(async ({ received }) => ({ completed: received.length }));
    const messages = [record('dc_a', 'a1', { body: '{' }), record('dc_a', 'a2'), record('dc_b', 'b1')];
    expect(await run(...messages)).toEqual([]);
    expect(aside).toEqual(['a1']);
  });

  test('a tick of a schedule becomes a trigger that is named by it', async () => {
    const seen: Group[] = [];
    const { run } = open(async (group) => {
      seen.push(group);
      return { completed: group.received.length };
    });
    const tick = {
      kind: 'tick',
      sourceId: 'dc_a',
      ownerId: 'u_1',
      generation: 4,
      scheduledAt: '2026-01-01T00:00:00Z',
    };
    await run(record('dc_a', 'a1', { body: JSON.stringify(tick) }));
    expect(seen[0]?.received[0]?.trigger).toMatchObject({
      kind: 'run',
      id: 'tick-dc_a-4-2026_01_01T00_00_00Z',
      cause: 'timer',
      at: Date.UTC(2026, 0, 1),
      generation: 4,
    });
  });
});
