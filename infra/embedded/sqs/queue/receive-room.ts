import type { Message } from './message.ts';

/**
 * The messages that a receive of an event-source mapping may take beyond its `MaxNumberOfMessages`. It is a class
 * because SDK clients cannot make an instance: their calls keep AWS's limits.
 */
export class BatchGrowth {
  /** Messages of the whole batch. */
  readonly messages: number;
  /** Groups of the whole batch. */
  readonly groups: number;
  /** Bytes of bodies up to which further messages are taken. */
  readonly bytes: number;
  /** Messages that the batch may have of a group. Without an entry it gets none beyond `MaxNumberOfMessages`. */
  readonly shares: ReadonlyMap<string, number>;

  constructor({ messages, groups, bytes, shares }: Pick<BatchGrowth, 'messages' | 'groups' | 'bytes' | 'shares'>) {
    this.messages = messages;
    this.groups = groups;
    this.bytes = bytes;
    this.shares = shares;
  }
}

/** The name of a message's group for limits. Messages without a group share one. */
const groupOf = ({ facts }: Pick<Message, 'facts'>): string => facts.group ?? '';

/** The room of one receive. Counts the messages that it takes. */
export class ReceiveRoom {
  /** `MaxNumberOfMessages`: any message is taken while there are fewer. */
  readonly max: number;
  readonly #growth: BatchGrowth | undefined;
  readonly #byGroup = new Map<string, number>();
  #messages = 0;
  #bytes = 0;

  constructor(max: number, growth?: BatchGrowth) {
    this.max = max;
    this.#growth = growth;
  }

  /** False once no message of any group finds room. */
  get isOpen(): boolean {
    return this.#messages < (this.#growth?.messages ?? this.max);
  }

  /** Groups to look at: thousands may be ready, and most have no share. */
  get groups(): number {
    return this.#growth?.groups ?? Infinity;
  }

  /** Counts a message, if it has room. */
  take(message: Message): boolean {
    const growth = this.#growth;
    if (!growth) {
      if (this.#messages >= this.max) return false;
      this.#messages += 1;
      return true;
    }
    const group = groupOf(message);
    const own = this.#byGroup.get(group) ?? 0;
    if (own === 0 && this.#byGroup.size >= growth.groups) return false;
    const { size } = message.facts;
    if (this.#messages >= this.max) {
      const isGrown = this.#messages < growth.messages && own < (growth.shares.get(group) ?? 0);
      if (!isGrown || this.#bytes + size > growth.bytes) return false;
    }
    this.#byGroup.set(group, own + 1);
    this.#messages += 1;
    this.#bytes += size;
    return true;
  }

  /** A message that was counted is not handed out after all. */
  giveBack(message: Message): void {
    this.#messages -= 1;
    if (!this.#growth) return;
    const group = groupOf(message);
    const own = this.#byGroup.get(group) ?? 0;
    if (own > 1) this.#byGroup.set(group, own - 1);
    else this.#byGroup.delete(group);
    this.#bytes -= message.facts.size;
  }
}
