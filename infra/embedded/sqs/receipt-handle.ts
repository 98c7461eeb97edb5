import { receiptHandleIsInvalid } from './errors.ts';
import type { Message } from './queue/message.ts';
import type { Queue } from './queue/queue.ts';

const HANDLE = /^AQEB([\w-]{8})\.([0-9a-z]+)\.([0-9a-z]+)$/;

/** Names one receive of one message, so that the handle of an earlier receive differs from the newest. */
export const receiptHandle = (queue: Queue, message: Message): string =>
  `AQEB${queue.tag}.${message.number.toString(36)}.${message.receives.toString(36)}`;

interface Receipt {
  /** Undefined once the message has left the queue. */
  readonly message: Message | undefined;
  /** Whether the handle is that of the most recent receive. */
  readonly isNewest: boolean;
}

export function readReceipt(queue: Queue, handle: string): Receipt {
  const [, tag, number, receives] = HANDLE.exec(handle) ?? [];
  if (tag !== queue.tag || number === undefined || receives === undefined) throw receiptHandleIsInvalid(handle);
  const message = queue.get(parseInt(number, 36));
  return { message, isNewest: message?.receives === parseInt(receives, 36) };
}
