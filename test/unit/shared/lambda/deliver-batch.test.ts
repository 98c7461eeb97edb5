import type { SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createDeliverBatch } from '../../../../shared/lambda/deliver-batch.ts';
import { createLog } from '../../../../shared/lambda/log.ts';

const CAME_AT = Date.UTC(2031, 2, 1);
const MINUTE = 60_000;

/** Whether the fan-out is told that an earlier batch had the message. */
async function isRepeated({ receives, sentAt }: { receives: number; sentAt: number }): Promise<boolean[]> {
  const told: boolean[] = [];
  const handler = createDeliverBatch({
    deliver: async (messages, batch) => {
      told.push(...messages.map((message) => batch.isRepeated(message)));
      return new Map();
    },
    storeSuccesses: () => Promise.resolve(),
    attemptCounts: { settle: () => Promise.resolve() },
    log: createLog('error', 'test'),
    now: () => sentAt,
  });
  const message = {
    ...{
      emitterId: 'dc_1',
      ownerId: 'u_1',
      stream: 'default',
      eventId: `${CAME_AT}-0`,
      emitId: 'e',
      hops: 0,
    },
    payload: { json: '{}' },
  };
  const attributes = { ApproximateReceiveCount: String(receives), SentTimestamp: String(sentAt) };
  const event = { Records: [{ messageId: 'm', body: JSON.stringify(message), attributes }] };
  await handler(event as unknown as SQSEvent, { awsRequestId: 'batch' });
  return told;
}

test.each([
  ['a first message, also of a long run', { receives: 1, sentAt: CAME_AT + 5 * MINUTE }, false],
  ['a message that is received again', { receives: 2, sentAt: CAME_AT }, true],
  ['a dead letter that was sent again', { receives: 1, sentAt: CAME_AT + 60 * MINUTE }, true],
])('%s: the fan-out asks for earlier deliveries or not', async (_, received, expected) => {
  expect(await isRepeated(received)).toEqual([expected]);
});
