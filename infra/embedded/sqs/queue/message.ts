import type { DiskValue } from '../../disk/disk-value.ts';

export type MessageState = 'visible' | 'delayed' | 'inFlight' | 'gone';

/** The content of a message as its sender and SQS set it. It never changes. */
export interface MessageFacts {
  readonly id: string;
  /** Bytes of the body and its attributes, as the size limit counts them. */
  readonly size: number;
  readonly sentAt: number;
  readonly senderId: string;
  readonly group?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly attributes?: MessageAttributes | undefined;
  /** On a dead-letter queue: ARN of the queue that the message was moved from. */
  readonly deadLetterSource?: string | undefined;
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: Uint8Array;
}

/** A message in its queue: linked in the order of sending, and on a FIFO queue also within its group. */
export class Message {
  readonly number: number;
  readonly facts: MessageFacts;
  /** Undefined while the body is only on disk. */
  body: string | undefined;

  state: MessageState = 'visible';
  receives = 0;
  /** 0 until the first receive. Constant afterwards, also across restarts. */
  firstReceivedAt = 0;
  /** Time of the newest receive; 0 if that was before a restart. */
  receivedAt = 0;
  /** Time at which a delayed or received message becomes visible. */
  visibleAt = 0;
  /** The consumer set the timeout with ChangeMessageVisibility: a restart keeps it. */
  timeoutChosen = false;
  /** Whether the receives are on disk. */
  receivesStored = false;
  /** The row of a message that only the journal has on disk. */
  journalled: DiskValue | undefined;
  /** The journal has the row. */
  isWritten = false;
  /** The journal does not have the present receives. */
  receivesChanged = false;
  /** The journal does not have the present state. */
  isChanged = false;

  wakeIndex = -1;
  previous: Message | undefined;
  next: Message | undefined;
  groupPrevious: Message | undefined;
  groupNext: Message | undefined;

  constructor(number: number, facts: MessageFacts, body: string | undefined) {
    this.number = number;
    this.facts = facts;
    this.body = body;
  }

  /**
   * Forgets its neighbours and its body. A dead message that has outlived a minor collection would otherwise bring
   * every later one of its queue, dead as well, to the old generation.
   */
  letGo(): void {
    this.body = this.previous = this.next = this.groupPrevious = this.groupNext = undefined;
  }

  get sequenceNumber(): string {
    return sequenceNumber(this.number);
  }
}

/** 20 digits in steps of 256, as on AWS: more than a JavaScript number holds exactly. */
export const sequenceNumber = (number: number): string => `1885${String(number * 256).padStart(16, '0')}`;
