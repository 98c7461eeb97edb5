import { type Message, type MessageState } from './message.ts';

/** Which visible message is handed out next; the difference between standard and FIFO queues. */
export interface Order {
  /** A new message, last of the queue; its state says whether it is visible yet. */
  add(message: Message): void;
  /** It became visible; `was` delayed or in flight. */
  release(message: Message, was: MessageState): void;
  /** It leaves for good; still linked in its queue, its state still the one it leaves from. */
  remove(message: Message): void;
  /** Up to `max` messages, now in flight. */
  take(max: number): Message[];
  /** How many `take` would give, counted no further than `max`. */
  available(max: number): number;
}
