import type { SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { WebhookId } from '../../../../shared/domain/id.ts';
import { createDeliverBatch } from '../../../../shared/lambda/deliver-batch.ts';
import { createLog } from '../../../../shared/lambda/log.ts';

const CAME_AT = Date.UTC(2031, 2, 1);
const MINUTE = 60_000;

interface Received {
  receives: number;
  sentAt: number;
}

const FIRST: Received = { receives: 1, sentAt: CAME_AT };

/** A batch of messages with the ids m0, m1 … */
const eventOf = (...received: Received[]): SQSEvent => {
  const Records = received.map(({ receives, sentAt }, index) => {
    const event = { emitterId: 'dc_1', ownerId: 'u_1', stream: 'default', eventId: `${CAME_AT}-${index}` };
    const message = { ...event, emitId: `e${index}`, hops: 0, payload: { json: '{}' } };
    const attributes = { ApproximateReceiveCount: String(receives), SentTimestamp: String(sentAt) };
    return { messageId: `m${index}`, receiptHandle: `handle-${index}`, body: JSON.stringify(message), attributes };
  });
  return { Records } as unknown as SQSEvent;
};

type Options = Parameters<typeof createDeliverBatch>[0];

const handle = (event: SQSEvent, options: Pick<Options, 'deliver'> & Partial<Options>) =>
  createDeliverBatch({
    setAside: () => Promise.resolve(),
    receipts: { release: () => Promise.resolve() },
    release: () => Promise.resolve(),
    storeSuccesses: () => Promise.resolve(),
    attemptCounts: { settle: () => Promise.resolve() },
    log: createLog('error', 'test'),
    now: () => CAME_AT,
    ...options,
  })(event, { awsRequestId: 'batch' });

test.each<[string, Received, boolean]>([
  ['a first message, also of a long run', { receives: 1, sentAt: CAME_AT + 5 * MINUTE }, false],
  ['a message that is received again', { receives: 2, sentAt: CAME_AT }, true],
  ['a dead letter that was sent again', { receives: 1, sentAt: CAME_AT + 60 * MINUTE }, true],
])('%s: the fan-out asks for earlier deliveries or not', async (_, received, expected) => {
  const told: boolean[] = [];
  await handle(eventOf(received), {
    deliver: (messages, batch) => {
      told.push(...messages.map((message) => batch.isRepeated(message)));
      return Promise.resolve(new Map());
    },
  });
  expect(told).toEqual([expected]);
});

describe('messages come back', () => {
  const returned = async (options: Pick<Options, 'deliver'> & Partial<Options>) =>
    (await handle(eventOf(FIRST, FIRST, FIRST), options)).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

  test('that failed, and no others', async () => {
    const deliver: Options['deliver'] = ([, second]) =>
      Promise.resolve(new Map(second ? [[second, new Error('throttled')]] : []));
    expect(await returned({ deliver })).toEqual(['m1']);
  });

  test('with growing pauses; after 20 receives one that failed is set aside, alone', async () => {
    const pauses: object[] = [];
    const aside: string[] = [];
    const deliver: Options['deliver'] = (messages) => Promise.resolve(new Map(messages.map((each) => [each, 'x'])));
    const { batchItemFailures } = await handle(
      eventOf({ receives: 3, sentAt: CAME_AT }, { receives: 20, sentAt: CAME_AT }, { receives: 19, sentAt: CAME_AT }),
      {
        deliver,
        setAside: (records) => Promise.resolve(void aside.push(...records.map(({ messageId }) => messageId))),
        receipts: { release: (messages) => Promise.resolve(void pauses.push(...messages)) },
      },
    );
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm2']);
    expect(aside).toEqual(['m1']);
    expect(pauses).toEqual([
      { handle: 'handle-0', seconds: 240 },
      { handle: 'handle-2', seconds: 300 },
    ]);
  });

  test('all of them, when their successes cannot be stored', async () => {
    const deliver: Options['deliver'] = (messages, { log }) => {
      for (const { ownerId, emitterId, stream, eventId, emitId } of messages)
        log({
          ...{ webhookId: 'wh_1' as WebhookId, ownerId, emitterId, stream, eventId, emitId },
          ...{ at: CAME_AT, status: 200, ms: 1 },
        });
      return Promise.resolve(new Map());
    };
    const storeSuccesses = () => Promise.reject(new Error('throttled'));
    expect(await returned({ deliver, storeSuccesses })).toEqual(['m0', 'm1', 'm2']);
  });
});
