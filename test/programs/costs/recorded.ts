import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const counts = {
  writeUnits: z.number(),
  readUnits: z.number(),
  sqsRequests: z.number(),
  sqsFifoRequests: z.number(),
};

/** Counts per event in one setting of `counted`. */
const EventCounts = z.object({
  webhooks: z.number(),
  batches: z.enum(['full', 'one']),
  /** The kind of `sampleBody`. */
  body: z.enum(['order', 'invoice', 'random', 'document', 'file']),
  ...counts,
  objectPuts: z.number(),
  objectGets: z.number(),
  /** Events that one batch took, on average. */
  perBatch: z.number(),
});
export type EventCounts = z.infer<typeof EventCounts>;

/** Counts per poll that takes more than a second and finds nothing. */
const PollCounts = z.object(counts);
export type PollCounts = z.infer<typeof PollCounts>;

const accountCounts = {
  writeUnits: z.number(),
  readUnits: z.number(),
  keyRequests: z.number(),
  invocations: z.number(),
  tokenRequests: z.number(),
};
const AccountCounts = z.object(accountCounts);
export type AccountCounts = z.infer<typeof AccountCounts>;

const waitingCounts = { writeUnits: z.number(), readUnits: z.number() };
/** Counts that a trigger adds because it waits in a backlog. */
const WaitingCounts = z.object(waitingCounts);
export type WaitingCounts = z.infer<typeof WaitingCounts>;

/** The counts that docs/costs.md shows. `npm run cost-tables` counts them anew. */
const Recorded = z.object({
  events: z.array(EventCounts),
  poll: PollCounts,
  waiting: WaitingCounts,
  account: z.object({ run: AccountCounts, renewal: AccountCounts, check: AccountCounts }),
});
export type Recorded = z.infer<typeof Recorded>;

const FILE = new URL('counts.json', import.meta.url);

export const readRecorded = (): Recorded => Recorded.parse(JSON.parse(readFileSync(FILE, 'utf8')));

export function writeRecorded(recorded: Recorded): void {
  const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);
  writeFileSync(FILE, `${JSON.stringify(Recorded.parse(recorded), rounded, 2)}\n`);
}

/** Batches are never equally full in two measurements. */
const TOLERANCE = 0.15;

const namesThatDiffer = <Name extends string>(
  names: readonly Name[],
  measured: Readonly<Record<Name, number>>,
  recorded: Readonly<Record<Name, number>>,
): string[] =>
  names.filter((name) => Math.abs(measured[name] - recorded[name]) > TOLERANCE * Math.max(recorded[name], 0.5));

/** The names of counts that differ from the recorded ones by more than the tolerance. */
export const differing = (measured: PollCounts, recorded: PollCounts): string[] =>
  namesThatDiffer(Object.keys(counts) as (keyof PollCounts)[], measured, recorded);

/** The same for the counts of a trigger that waits. */
export const differingWaiting = (measured: WaitingCounts, recorded: WaitingCounts): string[] =>
  namesThatDiffer(Object.keys(waitingCounts) as (keyof WaitingCounts)[], measured, recorded);

/** The same for the counts of an account. */
export const differingAccount = (measured: AccountCounts, recorded: AccountCounts): string[] =>
  namesThatDiffer(Object.keys(accountCounts) as (keyof AccountCounts)[], measured, recorded);
