import type { Message, MessageState } from './message.ts';

/** Chooses the visible message that is handed out next. Standard and FIFO queues differ here. */
export interface Order {
  /** Adds a new message, the last of the queue. Its state says whether it is visible. */
  add(message: Message): void;
  /** The message became visible; `was` is delayed or in flight. */
  release(message: Message, was: MessageState): void;
  /** The message leaves the queue. It is still linked there and keeps its last state. */
  remove(message: Message): void;
  /** Puts up to `max` messages in flight. */
  take(max: number): Message[];
  /** Number of messages that `take` would return, at most `max`. */
  available(max: number): number;
}
