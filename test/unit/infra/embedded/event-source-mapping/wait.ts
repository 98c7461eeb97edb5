import type { SQSEvent } from 'aws-lambda';
import { expect, vi } from 'vitest';
import { DEADLINE_MS } from '../../../../support/until.ts';
import type { MappedQueue } from './mapped-queue.ts';

export const until = (condition: () => unknown) => vi.waitFor(condition, { timeout: DEADLINE_MS, interval: 5 });
export const isEmpty = (queue: MappedQueue) =>
  until(() => {
    expect(queue.counts()).toEqual({ visible: 0, inFlight: 0 });
  });
export const bodiesOf = (queue: MappedQueue) => queue.invocations.map(({ bodies }) => bodies);
export const failing = (event: SQSEvent, isFailing: (body: string) => boolean) => ({
  batchItemFailures: event.Records.filter(({ body }) => isFailing(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});
export const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));
