import { afterEach, expect, test, vi } from 'vitest';
import { sizing } from '../../../../../infra/sizing.ts';
import { createLog } from '../../../../../shared/lambda/log.ts';
import { createRunBatch } from '../../../../../shared/lambda/run-batch.ts';
import { until } from '../../../../support/until.ts';
import { callForOne } from '../../../contract/sqs/targets.ts';
import { closeAll, mapped } from './mapped-queue.ts';

afterEach(async () => {
  await closeAll();
  vi.restoreAllMocks();
});

const SOURCE = 'dc_a';
const QUICK = 100;
const SLOW = 500;
const trigger = (n: number) =>
  JSON.stringify({
    kind: 'run',
    id: String(n),
    emitterId: SOURCE,
    ownerId: 'u_1',
    at: 0,
    cause: 'http',
    payload: { json: '{}' },
    hops: 0,
  });

/**
 * The batch function of the stack, whose runs take as long as a test says. Each hundred quick ones make the batches as
 * large as they get.
 */
test.each([
  { runMs: 5_000, runTimeoutMs: 60_000 },
  { runMs: 20_000, runTimeoutMs: 240_000 },
])(
  'five hundred triggers that suddenly take $runMs ms become no dead letters at a time limit of $runTimeoutMs ms',
  async ({ runMs, runTimeoutMs }) => {
    const { visibility, maxReceiveCount } = sizing.queues.runs;
    const executed: number[] = [];
    let receives = 0;
    let longestMs = 0;
    const queue = await mapped({
      queue: { fifo: true, deduplicationScope: 'messageGroup', visibilityTimeout: visibility },
      threadLoad: { isFull: () => false, isBusy: () => false },
      async worker(event, { clock, call }) {
        const began = clock.now();
        const handler = createRunBatch({
          setAside: () => expect.fail('a trigger could not be read'),
          execute: ({ received, startBefore }) => {
            let completed = 0;
            for (const {
              trigger: { id },
              receiveCount,
            } of received) {
              if (clock.now() >= startBefore) break;
              receives = Math.max(receives, receiveCount);
              executed.push(Number(id));
              completed += 1;
              if (Number(id) >= QUICK) clock.advance(runMs);
            }
            return Promise.resolve({ completed });
          },
          receipts: {
            remove: () => Promise.resolve(),
            async release(messages) {
              for (const { handle: ReceiptHandle, seconds: VisibilityTimeout } of messages)
                await callForOne(call, 'ChangeMessageVisibilityBatch', { ReceiptHandle, VisibilityTimeout });
            },
          },
          runTimeoutMs,
          runnersPerBatch: 10,
          now: () => clock.now(),
          log: createLog('error', 'test'),
        });
        const response = await handler(event, { awsRequestId: 'batch' });
        longestMs = Math.max(longestMs, clock.now() - began);
        return response;
      },
    });
    vi.spyOn(performance, 'now').mockImplementation(() => queue.clock.now());
    const all = Array.from({ length: QUICK + SLOW }, (_, n) => n);
    await queue.sendTo(SOURCE, ...all.map(trigger));
    queue.start();
    await until('every trigger has run', () => {
      const { visible, inFlight } = queue.counts();
      return visible + inFlight === 0;
    });
    expect(Math.max(...queue.invocations.map(({ bodies }) => bodies.length))).toBeGreaterThan(10);
    expect(executed).toEqual(all);
    expect(receives).toBeLessThan(maxReceiveCount);
    expect(longestMs).toBeLessThan(sizing.functions['run-source'].timeout * 1_000);
  },
);
