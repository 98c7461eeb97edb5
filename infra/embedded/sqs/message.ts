export type MessageState = 'visible' | 'delayed' | 'inFlight' | 'gone';

/** What the sender gave and SQS added; never changes. */
export interface MessageFacts {
  readonly id: string;
  /** Bytes of the body and its attributes, as the size limit counts them. */
  readonly size: number;
  readonly sentAt: number;
  readonly senderId: string;
  readonly group?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly attributes?: MessageAttributes | undefined;
  readonly traceHeader?: string | undefined;
  /** ARN of the queue it was moved from, on a dead-letter queue. */
  readonly deadLetterSource?: string | undefined;
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: Uint8Array;
}

/** A message in its queue: linked in sending order, and within its group on a FIFO queue. */
export class Message {
  readonly number: number;
  readonly facts: MessageFacts;
  /** Absent when it was left on disk. */
  body: string | undefined;

  state: MessageState = 'visible';
  receives = 0;
  /** 0 until the first receive; stable ever after, also over restarts. */
  firstReceivedAt = 0;
  /** The newest receive; 0 when that was before a restart. */
  receivedAt = 0;
  /** When a delayed or received message becomes visible (again). */
  visibleAt = 0;
  /** The timeout was set by the consumer, so it is meant, not merely running. */
  timeoutChosen = false;
  /** Whether its receives stand on disk. */
  receivesStored = false;

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

  /** 20 digits in steps of 256, as AWS's are: past what a JavaScript number holds exactly. */
  get sequenceNumber(): string {
    return sequenceNumber(this.number);
  }
}

export const sequenceNumber = (number: number): string => `1885${String(number * 256).padStart(16, '0')}`;
