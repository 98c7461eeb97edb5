import type { HonestUser } from './user.ts';

/** A kind of ordinary heavy work. */
export interface Work {
  name: string;
  /** Creates sources and webhooks, before the work. */
  prepare(user: HonestUser): Promise<PreparedWork>;
}

export interface PreparedWork {
  /** Does all of the work; resolves when everything was sent. */
  run(): Promise<void>;
  /** Numbers of events that have to arrive, and those that have. */
  missing(): string[];
  /** Sources whose `$errors` stay empty. */
  sourceIds: readonly string[];
  stop(): Promise<void>;
}

/** `test`: some seconds here. `bench`: the whole of it, `npm run bench -- honest`. */
export type Size = 'test' | 'bench';

export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Calls `send` for each number, at a rate per second. Requests do not wait for each other. */
export async function atRate(
  numbers: readonly number[],
  perSecond: number,
  send: (n: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  for (const [index, n] of numbers.entries()) {
    const ms = startedAt + (index * 1_000) / perSecond - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    sent.push(send(n));
  }
  await Promise.all(sent);
}

export const missingOf = (expected: readonly string[], arrived: ReadonlySet<string>): string[] =>
  expected.filter((n) => !arrived.has(n));
