import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { randomFaults } from '../../../../../infra/embedded/faults.ts';
import { callForOne } from '../../../contract/sqs/targets.ts';
import { closeAll, mapped } from './mapped-queue.ts';
import { bodiesOf, failing, isEmpty, numbers, until } from './wait.ts';

afterEach(closeAll);

describe('the response', () => {
  test.each([[undefined], [null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }]])(
    '%j is success: everything is deleted',
    async (response) => {
      const queue = await mapped({ worker: () => response });
      await queue.send('1', '2');
      queue.start();
      await isEmpty(queue);
      expect(bodiesOf(queue)).toEqual([['1', '2']]);
    },
  );

  test('names failures: they come again after their visibility timeout, the rest is deleted', async () => {
    let isBroken = true;
    const queue = await mapped({ worker: (event) => failing(event, (body) => isBroken && body === '2') });
    await queue.send('1', '2', '3');
    queue.start();
    await until(async () => {
      expect(await queue.counts()).toEqual({ visible: 0, inFlight: 1 });
    });
    isBroken = false;
    queue.clock.advance(29_999);
    expect(queue.invocations).toHaveLength(1);
    queue.clock.advance(1);
    await isEmpty(queue);
    expect(bodiesOf(queue)).toEqual([['1', '2', '3'], ['2']]);
    expect(queue.invocations[1]?.event.Records[0]?.attributes.ApproximateReceiveCount).toBe('2');
  });

  test.each([
    ['no report', () => 'done'],
    ['a list', () => []],
    ['a failure without name', () => ({ batchItemFailures: [{}] })],
    ['an empty name', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['a null name', () => ({ batchItemFailures: [{ itemIdentifier: null }] })],
    ['a wrong key', (event: SQSEvent) => ({ batchItemFailures: [{ id: event.Records[0]?.messageId }] })],
    ['a message that is not of the batch', () => ({ batchItemFailures: [{ itemIdentifier: 'somebody else' }] })],
    ['an error', () => Promise.reject(new Error('broken'))],
  ])('%s fails the whole batch', async (_title, response) => {
    let isBroken = true;
    const queue = await mapped({ worker: (event) => (isBroken ? response(event) : undefined) });
    await queue.send('1', '2');
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(1);
    });
    await queue.stop();
    expect(await queue.counts()).toEqual({ visible: 0, inFlight: 2 });
    isBroken = false;
    queue.start();
    queue.clock.advance(30_000);
    await isEmpty(queue);
    expect(bodiesOf(queue)).toEqual([
      ['1', '2'],
      ['1', '2'],
    ]);
  });

  test('without ReportBatchItemFailures is not looked at', async () => {
    const queue = await mapped({
      properties: { FunctionResponseTypes: [] },
      worker: (event) => failing(event, () => true),
    });
    await queue.send('1');
    queue.start();
    await isEmpty(queue);
  });

  test('may come after the function deleted its messages itself', async () => {
    const queue = await mapped({
      queue: { fifo: true },
      async worker(event, { call }) {
        for (const { receiptHandle: ReceiptHandle } of event.Records)
          await callForOne(call, 'DeleteMessageBatch', { ReceiptHandle });
      },
    });
    await queue.sendTo('a', '1', '2');
    queue.start();
    await isEmpty(queue);
    await queue.stop();
    expect(queue.failures).toEqual([]);
    expect(queue.invocations).toHaveLength(1);
  });

  test('deletions that SQS refuses are tried again', async () => {
    const faults = randomFaults(7, { 'refused-entry': 0.3 });
    const queue = await mapped({ faults, worker: () => undefined });
    for (const body of numbers(30)) await queue.call('SendMessage', { MessageBody: body });
    queue.start();
    await until(() => {
      expect(queue.invocations.flatMap(({ bodies }) => bodies)).toHaveLength(30);
    });
    await queue.stop();
    expect((await queue.counts()).inFlight).toBeLessThanOrEqual(3);
    expect(faults.counts['refused-entry']).toBeGreaterThan(0);
  });
});
