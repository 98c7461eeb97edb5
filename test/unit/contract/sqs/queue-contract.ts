import { describe, expect } from 'vitest';
import type { Contract } from './contract.ts';

/** Promises about a queue as a whole. */
export function queueContract({
  promise,
  queue,
  send,
  receive,
  receiveOne,
  countsOf,
  refused,
  batches,
}: Contract): void {
  promise('counts visible, in-flight and delayed messages', async () => {
    const url = await queue();
    await send(url, 'visible');
    await send(url, 'received');
    await send(url, 'later', { DelaySeconds: 600 });
    await receiveOne(url);
    expect(await countsOf(url)).toEqual({ visible: 1, inFlight: 1, delayed: 1 });
  });

  describe('a queue that does not exist', () => {
    const commands: Record<string, (QueueUrl: string) => Promise<unknown>> = {
      SendMessage: (QueueUrl) => send(QueueUrl),
      ReceiveMessage: (QueueUrl) => receive(QueueUrl),
      ...Object.fromEntries(
        Object.entries(batches).map(([name, callBatch]) => [name, (url: string) => callBatch(url, ['a'])]),
      ),
    };
    for (const [operation, command] of Object.entries(commands)) {
      promise(`refuses ${operation}`, async () => {
        const url = (await queue()).replace(/[^/]+$/, 'nowhere');
        await refused(command(url), 'QueueDoesNotExist');
      });
    }
  });
}
