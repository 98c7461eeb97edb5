import type { ServiceId } from './call.ts';

/**
 * Fault injection: the faults that AWS allows itself and one process never has, as a setting for tests. A service asks
 * `inject` wherever AWS makes no promise. Faults are counted by kind.
 */
export interface Faults {
  /** Whether a fault of this kind happens now. */
  inject(kind: FaultKind): boolean;
  readonly counts: Readonly<Record<FaultKind, number>>;
  /** The fault of a call, if it has one. Every call of a function or of an event-source mapping asks. */
  ofCall(call: FaultyCall): CallFault | undefined;
}

/** A call that may have a fault. */
export interface FaultyCall {
  /** Name of the function, or id of the event-source mapping. */
  readonly caller: string;
  readonly service: ServiceId;
  readonly operation: string;
}

export const faultKinds = [
  /** DynamoDB: an eventually consistent read returns the previous version. */
  'stale-read',
  /** DynamoDB: a batch write leaves some entries in `UnprocessedItems`, a batch read in `UnprocessedKeys`. */
  'unprocessed-item',
  /** DynamoDB: another transaction writes an item of a transaction. */
  'transaction-conflict',
  /** DynamoDB: names, members of sets and items of a batch read come in another order. */
  'other-order',
  /** SQS: a standard queue delivers a deleted message again. */
  'repeated-message',
  /** SQS: a standard queue delivers messages out of order. */
  'reordered-message',
  /** SQS: a batch call refuses some entries (`Failed`). */
  'refused-entry',
  /** SQS: a FIFO batch mixes several groups. */
  'mixed-groups',
  /** Scheduler: a schedule fires late. */
  'late-schedule',
  /** Scheduler: a schedule fires twice. */
  'repeated-schedule',
  /** Lambda: consecutive invocations run on different instances. */
  'other-instance',
  /** API Gateway: a path is decoded before the function gets it. */
  'decoded-path',
  /** API Gateway: a text body is base64. */
  'base64-body',
  /** API Gateway: a body in gzip arrives decoded, without the header that names the coding. */
  'decoded-body',
  /** API Gateway: a request has the headers that the gateway adds, and lacks those that it replaces. */
  'gateway-header',
  /** API Gateway: a header of a response has another name. */
  'renamed-header',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export const callFaults = [
  /** The service refuses the call because of too many requests. */
  'throttled',
  /** The service fails before it does the work. */
  'failed',
  /** The service does the work, and its response is lost. */
  'response-lost',
  /** As before, and the SDK repeats the call: the caller gets the second response. */
  'repeated',
  /** The function's process ends before the call. */
  'died-before',
  /** The function's process ends after the service did the work. */
  'died-after',
] as const;

export type CallFault = (typeof callFaults)[number];

const zeroCounts = () => Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;

export const noFaults: Faults = {
  inject: () => false,
  counts: zeroCounts(),
  ofCall: () => undefined,
};

/** Injects each kind with its chance. The same seed gives the same sequence, so a failing run can be repeated. */
export function randomFaults(seed: number, chances: Partial<Record<FaultKind, number>>): Faults {
  const counts = zeroCounts();
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    counts,
    ofCall: () => undefined,
    inject(kind) {
      const isInjected = random() < (chances[kind] ?? 0);
      if (isInjected) counts[kind] += 1;
      return isInjected;
    },
  };
}
