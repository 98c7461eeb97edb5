import * as sdk from '@aws-sdk/client-sqs';
import { describe, expect } from 'vitest';
import type { Contract } from './contract.ts';

/** Deletion of messages, and changes of their visibility timeout. */
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
  describe('one entry of DeleteMessageBatch', () => {
    promise('deletes a message for good', async () => {
      const url = await queue({ visibilityTimeout: 0 });
      await send(url);
      await remove(url, (await receiveOne(url)).ReceiptHandle);
      expect(await receive(url)).toEqual([]);
    });

    promise('may delete a message twice', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await remove(url, ReceiptHandle);
      await remove(url, ReceiptHandle);
    });

    promise('accepts the receipt handle of an earlier receive without deleting', async () => {
      const url = await queue();
      await send(url);
      const old = await receiveOne(url, { VisibilityTimeout: 0 });
      const { ReceiptHandle } = await receiveOne(url, { WaitTimeSeconds: 5 });
      await remove(url, old.ReceiptHandle);
      await change(url, ReceiptHandle, 0);
      await receiveOne(url);
    });

    promise('deletes a message after its visibility timeout', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url, { VisibilityTimeout: 0 });
      await remove(url, ReceiptHandle);
      expect(await receive(url)).toEqual([]);
    });

    promise('refuses a malformed receipt handle', async () => {
      await refused(remove(await queue(), 'nonsense'), 'ReceiptHandleIsInvalid');
    });

    promise('refuses a receipt handle of another queue', async () => {
      const url = await queue();
      await send(url);
      await refused(remove(await queue(), (await receiveOne(url)).ReceiptHandle), 'ReceiptHandleIsInvalid');
    });

    promise('needs a receipt handle to delete', async () => {
      await refused(remove(await queue(), undefined), 'MissingParameter');
    });
  });

  describe('DeleteMessageBatch', () => {
    promise('deletes the valid entries and reports the others', async () => {
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

  describe('one entry of ChangeMessageVisibilityBatch', () => {
    promise('makes a message visible at once with 0', async () => {
      const url = await queue();
      await send(url);
      await change(url, (await receiveOne(url)).ReceiptHandle, 0);
      await receiveOne(url);
    });

    promise('starts a new visibility timeout', async () => {
      const url = await queue({ visibilityTimeout: 3 });
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 600);
      expect(await receive(url, { WaitTimeSeconds: 4 })).toEqual([]);
    });

    promise('hides a message for at most 43,200 s', async () => {
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

    promise('refuses a deleted message', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await remove(url, ReceiptHandle);
      await refused(change(url, ReceiptHandle, 10), 'InvalidParameterValue');
    });

    promise('refuses a receipt handle that it did not issue', async () => {
      await refused(change(await queue(), 'nonsense', 10), 'ReceiptHandleIsInvalid');
    });

    promise('needs a receipt handle to change the timeout', async () => {
      await refused(change(await queue(), undefined, 10), 'MissingParameter');
    });

    promise('needs a visibility timeout', async () => {
      const url = await queue();
      await send(url);
      await refused(change(url, (await receiveOne(url)).ReceiptHandle, undefined), 'MissingParameter');
    });
  });

  describe('ChangeMessageVisibilityBatch', () => {
    promise('changes the valid entries and reports the others', async () => {
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
