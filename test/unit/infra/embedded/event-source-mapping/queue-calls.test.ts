import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { deleteMessages, receiveBatch } from '../../../../../infra/embedded/event-source-mapping/queue-calls.ts';
import { afterCrash } from '../../../contract/sqs/crash.ts';
import { openService } from '../../../contract/sqs/targets.ts';
import { functionRole } from './mapped-queue.ts';

test('a message that a mapping deletes is gone at once, and after a crash in the same moment it comes once more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new FakeClock();
  const open = await openService({ clock });
  onTestFinished(() => open.close());
  const spec = { name: 'q', visibilityTimeout: 30 };
  const { url: queueUrl, arn } = await open.service.createQueue(spec);
  const queue = {
    dispatch: ({ operation, input, role }: { operation: string; input: object; role: string }) =>
      open.service.call(operation, { ...input }, role),
    role: functionRole,
    queueUrl,
  };
  const afterKill = async () => {
    const { service, close } = await afterCrash(open.directory, { clock, releaseUnanswered: true });
    await service.createQueue(spec);
    const { visible } = service.countsOf(arn);
    await close();
    return visible;
  };
  await open.call('SendMessage', { QueueUrl: queueUrl, MessageBody: 'body' });
  await deleteMessages(queue, await receiveBatch(queue, 10, undefined));
  expect(open.service.countsOf(arn)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  expect(await afterKill()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(await afterKill()).toBe(0);
});
