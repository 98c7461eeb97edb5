import * as sdk from '@aws-sdk/client-sqs';
import { describe, expect } from 'vitest';
import type { Contract } from './contract.ts';

/** Deleting a message, or giving it another visibility timeout. */
export function finishingContract({
  promise,
  queue,
  send,
  receive,
  receiveOne,
  remove,
  change,
  refused,
  command,
}: Contract): void {
  describe('DeleteMessage', () => {
    promise('deletes for good', async () => {
      const url = await queue({ visibilityTimeout: 0 });
      await send(url);
      await remove(url, (await receiveOne(url)).ReceiptHandle);
      expect(await receive(url)).toEqual([]);
    });

    promise('may be repeated', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await remove(url, ReceiptHandle);
      await remove(url, ReceiptHandle);
    });

    promise('accepts an older receipt without deleting', async () => {
      const url = await queue();
      await send(url);
      const old = await receiveOne(url, { VisibilityTimeout: 0 });
      const { ReceiptHandle } = await receiveOne(url, { WaitTimeSeconds: 5 });
      await remove(url, old.ReceiptHandle);
      await change(url, ReceiptHandle, 0);
      await receiveOne(url);
    });

    promise('deletes after the visibility timeout too', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url, { VisibilityTimeout: 0 });
      await remove(url, ReceiptHandle);
      expect(await receive(url)).toEqual([]);
    });

    promise('refuses what is no receipt', async () => {
      await refused(remove(await queue(), 'nonsense'), 'ReceiptHandleIsInvalid');
    });

    promise("refuses another queue's receipt", async () => {
      const url = await queue();
      await send(url);
      await refused(remove(await queue(), (await receiveOne(url)).ReceiptHandle), 'ReceiptHandleIsInvalid');
    });

    promise('refuses to delete nothing in particular', async () => {
      await refused(remove(await queue(), undefined), 'MissingParameter');
    });
  });

  describe('DeleteMessageBatch', () => {
    promise('deletes what it can and names the rest', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      const Entries = [
        { Id: 'good', ReceiptHandle },
        { Id: 'bad', ReceiptHandle: 'nonsense' },
      ];
      const output = await command((client) =>
        client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl: url, Entries })),
      );
      expect(output.Successful).toEqual([{ Id: 'good' }]);
      expect(output.Failed).toMatchObject([{ Id: 'bad', SenderFault: true, Code: 'ReceiptHandleIsInvalid' }]);
    });
  });

  describe('ChangeMessageVisibility', () => {
    promise('shows a message at once with 0', async () => {
      const url = await queue();
      await send(url);
      await change(url, (await receiveOne(url)).ReceiptHandle, 0);
      await receiveOne(url);
    });

    promise('starts a new timeout', async () => {
      const url = await queue({ visibilityTimeout: 1 });
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 600);
      expect(await receive(url, { WaitTimeSeconds: 2 })).toEqual([]);
    });

    promise('hides for at most 43,200 s', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 43_199);
      await refused(change(url, ReceiptHandle, 43_201), 'InvalidParameterValue');
      await refused(change(url, ReceiptHandle, -1), 'InvalidParameterValue');
    });

    promise('refuses a message that is not in flight', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 0);
      await refused(change(url, ReceiptHandle, 10), 'MessageNotInflight');
    });

    promise('refuses a message that was deleted', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await remove(url, ReceiptHandle);
      await refused(change(url, ReceiptHandle, 10), 'InvalidParameterValue');
    });

    promise('refuses a receipt it did not give', async () => {
      await refused(change(await queue(), 'nonsense', 10), 'ReceiptHandleIsInvalid');
    });

    promise('needs a receipt', async () => {
      await refused(change(await queue(), undefined, 10), 'MissingParameter');
    });

    promise('needs a timeout', async () => {
      const url = await queue();
      await send(url);
      await refused(change(url, (await receiveOne(url)).ReceiptHandle, undefined), 'MissingParameter');
    });
  });

  describe('ChangeMessageVisibilityBatch', () => {
    promise('changes what it can and names the rest', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      const Entries = [
        { Id: 'good', ReceiptHandle, VisibilityTimeout: 0 },
        { Id: 'bad', ReceiptHandle: 'nonsense', VisibilityTimeout: 0 },
        { Id: 'long', ReceiptHandle, VisibilityTimeout: 43_201 },
      ];
      const changes = new sdk.ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries });
      const output = await command((client) => client.send(changes));
      expect(output.Successful).toEqual([{ Id: 'good' }]);
      expect(output.Failed).toMatchObject([
        { Id: 'bad', SenderFault: true, Code: 'ReceiptHandleIsInvalid' },
        { Id: 'long', SenderFault: true, Code: 'InvalidParameterValue' },
      ]);
      await receiveOne(url);
    });
  });
}
