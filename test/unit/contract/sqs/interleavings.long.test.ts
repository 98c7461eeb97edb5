import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { noFaults, randomFaults, type Faults } from '../../../../infra/embedded/faults.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { afterCrash } from './crash.ts';
import { callForOne, openService } from './targets.ts';

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('send' as const), group: fc.constantFrom('a', 'b', 'c') }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('receive' as const), max: fc.integer({ min: 1, max: 10 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('hide' as const),
      pick: fc.nat(),
      seconds: fc.constantFrom(0, 5, 60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 5000, 30_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Undeleted {
  readonly body: string;
  readonly group: string;
  handle: string;
  hiddenUntil: number;
  receives: number;
  firstReceivedAt: number;
}

/** A run has the same sequences as the one before. */
const SEED = 1;

/** The journal moves to LevelDB after a few steps, and the move takes several steps. */
const diskOptions = { journalBytes: 1_000 };

/** Plays the steps against the service and against a model: the list of undeleted messages. */
async function play(steps: readonly Step[], { fifo, faults }: { fifo: boolean; faults: Faults }): Promise<void> {
  const clock = new FakeClock();
  const spec = {
    name: fifo ? 'q.fifo' : 'q',
    fifo,
    visibilityTimeout: 30,
    deduplicationScope: 'messageGroup' as const,
  };
  const opened = [await openService({ clock, faults, diskOptions })];
  const current = () => opened.at(-1) ?? expect.fail('The service was never opened.');
  const { url: QueueUrl } = await current().service.createQueue(spec);
  const call = (operation: string, input: object) => current().call(operation, { QueueUrl, ...input });
  const undeleted: Undeleted[] = [];
  let sent = 0;

  async function receive(max: number): Promise<number> {
    const now = clock.now();
    const blocked = new Set(undeleted.filter(({ hiddenUntil }) => hiddenUntil > now).map(({ group }) => group));
    const input = { MaxNumberOfMessages: max, MessageSystemAttributeNames: ['All'] };
    const output = await call('ReceiveMessage', input);
    const messages = (output['Messages'] ?? []) as {
      Body: string;
      ReceiptHandle: string;
      Attributes: Record<string, string>;
    }[];
    for (const group of ['a', 'b', 'c']) {
      if (!fifo) break;
      const got = messages.filter(({ Attributes }) => Attributes['MessageGroupId'] === group).map(({ Body }) => Body);
      if (got.length === 0) continue;
      expect(blocked).not.toContain(group);
      const inOrder = undeleted.filter((message) => message.group === group).map(({ body }) => body);
      expect(got).toEqual(inOrder.slice(0, got.length));
    }
    for (const { Body, ReceiptHandle, Attributes } of messages) {
      const message = undeleted.find(({ body }) => body === Body) ?? expect.fail(`${Body} was deleted`);
      expect(message.hiddenUntil).toBeLessThanOrEqual(now);
      message.handle = ReceiptHandle;
      message.hiddenUntil = now + 30_000;
      message.receives += 1;
      message.firstReceivedAt ||= now;
      expect(Attributes).toMatchObject({
        ApproximateReceiveCount: String(message.receives),
        ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
      });
    }
    return messages.length;
  }

  async function remove(message: Undeleted): Promise<void> {
    await callForOne(call, 'DeleteMessageBatch', { ReceiptHandle: message.handle });
    undeleted.splice(undeleted.indexOf(message), 1);
  }

  async function take(taken: Step): Promise<void> {
    const inFlight = undeleted.filter(({ hiddenUntil }) => hiddenUntil > clock.now());
    const picked = 'pick' in taken ? inFlight[taken.pick % inFlight.length] : undefined;
    switch (taken.kind) {
      case 'send': {
        const body = `${taken.group}${(sent += 1)}`;
        const { group } = taken;
        await call('SendMessage', {
          MessageBody: body,
          MessageGroupId: group,
          ...(fifo && { MessageDeduplicationId: body }),
        });
        undeleted.push({ body, group, handle: '', hiddenUntil: 0, receives: 0, firstReceivedAt: 0 });
        return;
      }
      case 'receive':
        await receive(taken.max);
        return;
      case 'delete':
        if (picked) await remove(picked);
        return;
      case 'hide':
        if (!picked) return;
        await callForOne(call, 'ChangeMessageVisibilityBatch', {
          ReceiptHandle: picked.handle,
          VisibilityTimeout: taken.seconds,
        });
        picked.hiddenUntil = clock.now() + taken.seconds * 1000;
        return;
      case 'wait':
        clock.advance(taken.ms);
        return;
      case 'kill':
        opened.push(await afterCrash(current().directory, { clock, faults, diskOptions }));
        await current().service.createQueue(spec);
    }
  }

  try {
    for (const taken of steps) await take(taken);
    while (undeleted.length > 0) {
      clock.advance(60_000);
      expect(await receive(10)).toBeGreaterThan(0);
      for (const message of undeleted.filter(({ hiddenUntil }) => hiddenUntil > clock.now())) await remove(message);
    }
    expect(await receive(10)).toBe(0);
  } finally {
    for (const service of opened.reverse()) await service.close();
  }
}

test.each([
  {
    fifo: true,
    title:
      'FIFO: no interleaving loses a message, breaks the order of a group or hands out a message of a blocked group',
  },
  { fifo: false, title: 'standard: no interleaving loses a message or hands out a hidden message' },
])('$title', async ({ fifo }) => {
  const steps = fc.array(step, { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), fc.nat(), async (taken, hasFaults, seed) => {
      const faults = hasFaults ? randomFaults(seed, { 'mixed-groups': 0.3, 'reordered-message': 0.3 }) : noFaults;
      await play(taken, { fifo, faults });
    }),
    { numRuns: repetitions(40, 60), seed: SEED },
  );
});
