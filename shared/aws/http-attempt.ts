import type { AttemptOutcome } from '../domain/delivery/delivery.ts';
import type { KeptHeaders } from '../domain/delivery/kept-headers.ts';
import type { TargetCall } from '../domain/target/aws-target.ts';
import type { HeaderList } from '../lib/header-list.ts';

export interface Destination {
  origin: string;
  /** Host name or address. */
  hostname: string;
  path: string;
}

/** Undefined if the URL is not valid. */
export function destinationOf(url: string): Destination | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, hostname, pathname, search } = new URL(url);
  return { origin, hostname, path: `${pathname}${search}` };
}

/**
 * One request to a receiver, from the wait for a connection until its outcome. None of its methods but `begin` may
 * throw.
 */
export interface HttpAttempt {
  /** Undefined if the URL is not valid. */
  readonly destination: Destination | undefined;
  /** The user whose request it is. Each has a share of the connections and of the lookups of names. */
  readonly ownerId: string;
  /** A call that takes the place of the request. */
  readonly call?: TargetCall | undefined;
  readonly body: Buffer;
  readonly timeoutMs: number;
  /** Keeps the response of a success, too. */
  readonly keepsResponse?: boolean;
  /**
   * A connection is free. Returns the headers, so that a signature has the time of its request. If it returns
   * undefined, no request is sent, and nothing else is called.
   */
  begin(): HeaderList | undefined;
  /** Called with the outcome before another attempt gets the connection. */
  end(outcome: HttpOutcome): void;
  /** Called with the error of `begin`. */
  fail(error: unknown): void;
}

/** The outcome of an attempt. A failed attempt is a normal result, not an exception. */
export interface HttpOutcome {
  outcome: AttemptOutcome;
  status?: number;
  /** Value of the `Retry-After` header. */
  retryAfter?: string;
  /** The first KB of the decoded response body, if it is kept. */
  answer?: string;
  headers?: KeptHeaders;
  /** Why there was no response. */
  reason?: string;
  /** Start of the attempt, epoch ms. */
  at: number;
  ms: number;
}

/** Makes an attempt when a connection is free. */
export type Attempter = (attempt: HttpAttempt) => void;
