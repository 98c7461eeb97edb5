import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, functionRole, gate, mapped } from './mapped-queue.ts';
import { isEmpty, numbers, until } from './wait.ts';

afterEach(closeAll);

describe('the role', () => {
  test.each(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'])(
    'needs %s, or the start stops',
    async (action) => {
      const queue = await mapped({
        allows: (_role, permission) => permission.action !== action,
        worker: () => undefined,
      });
      expect(() => {
        queue.start();
      }).toThrow(
        `The event-source mapping WorkFeed needs ${action} on ${queue.arn}, which ${functionRole} is not allowed.`,
      );
    },
  );

  test('is the one that receives and deletes', async () => {
    const queue = await mapped({ worker: () => undefined });
    queue.start();
    await queue.send('1');
    await isEmpty(queue);
    const others = queue.requests.filter(({ operation }) => /^(Receive|Delete)/.test(operation));
    expect(new Set(others.map(({ role }) => role))).toEqual(new Set([functionRole]));
  });
});

describe('stop', () => {
  test('waits for what runs, and nothing begins after it', async () => {
    const running = gate();
    const queue = await mapped({ worker: () => running.opened });
    await queue.send(...numbers(30));
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(2);
    });
    let isStopped = false;
    const stopped = queue.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    running.open();
    await stopped;
    expect(queue.invocations).toHaveLength(2);
    expect(await queue.counts()).toEqual({ visible: 10, inFlight: 0 });
  });

  test('waits no longer than its deadline', async () => {
    const queue = await mapped({ worker: () => gate().opened });
    await queue.send('1');
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(1);
    });
    const stopped = queue.stop(2000);
    queue.clock.advance(2000);
    await stopped;
    expect(await queue.counts()).toEqual({ visible: 0, inFlight: 1 });
  });

  test('returns received messages without an invocation', async () => {
    const response = gate();
    const queue = await mapped({
      dispatch: (dispatch) => async (call) => {
        const output = await dispatch(call);
        if (call.operation === 'ReceiveMessage') await response.opened;
        return output;
      },
      worker: () => undefined,
    });
    await queue.send('1', '2');
    queue.start();
    await until(async () => {
      expect(await queue.counts()).toEqual({ visible: 0, inFlight: 2 });
    });
    const stopped = queue.stop();
    response.open();
    await stopped;
    expect(await queue.counts()).toEqual({ visible: 2, inFlight: 0 });
    expect(queue.invocations).toEqual([]);
  });
});
