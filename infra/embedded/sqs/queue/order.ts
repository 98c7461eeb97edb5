import type { Message, MessageState } from './message.ts';
import type { ReceiveRoom } from './receive-room.ts';

/** Chooses the visible message that is handed out next. Standard and FIFO queues differ here. */
export interface Order {
  /** Adds a new message, the last of the queue. Its state says whether it is visible. */
  add(message: Message): void;
  /** The message became visible; `was` is delayed or in flight. */
  release(message: Message, was: MessageState): void;
  /** The message leaves the queue. It is still linked there and keeps its last state. */
  remove(message: Message): void;
  /** Puts messages in flight while they have room. */
  take(room: ReceiveRoom): Message[];
  /** Number of messages that `take` would return without growth, at most `max`. */
  available(max: number): number;
}
