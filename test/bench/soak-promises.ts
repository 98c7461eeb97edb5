/** One minute of a soak. */
export interface Minute {
  minute: number;
  /** Events whose deliveries have arrived, per second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Events that are due and not delivered at the minute's end. */
  backlog: number;
  refused: number;
  residentMb: number;
}

export interface SoakPromise {
  what: string;
  promise: string;
  measured: string;
  holds: boolean | 'too short to say';
}

/** By this minute every cache is full, and so is more than half of the deduplication window of five minutes. */
const SETTLED_AFTER_MINUTES = 3;
const LARGEST_GROWTH = 1.2;
const LARGEST_RESIDENT_MB = 600;
/** Events that are due for longer than this are a backlog. */
const BACKLOG_SECONDS = 1;
const RATE_SHARE = 0.98;
/** A p99 up to this is flat in any case. */
const LOW_P99_MS = 100;
const LARGEST_P99_GROWTH = 2;

/** Whether a soak at `offered` events per second kept its promises. The first minute warms up and counts for nothing but its memory. */
export function checkPromises(minutes: readonly Minute[], offered: number): SoakPromise[] {
  const later = minutes.length > 1 ? minutes.slice(1) : minutes;
  const settled = minutes[Math.min(SETTLED_AFTER_MINUTES, minutes.length) - 1];
  const last = minutes.at(-1);
  if (!settled || !last) return [];
  const growth = last.residentMb / settled.residentMb;
  const most = (of: (minute: Minute) => number) => Math.max(...later.map(of));
  const slowest = Math.min(...later.map(({ rate }) => rate));
  const backlog = most((minute) => minute.backlog);
  const early = later[0]?.p99Ms ?? 0;
  const worst = most(({ p99Ms }) => p99Ms);
  const refused = most((minute) => minute.refused);
  return [
    {
      what: `memory, minute ${last.minute} against minute ${settled.minute}`,
      promise: `at most ${LARGEST_GROWTH} times`,
      measured: `${settled.residentMb} MB → ${last.residentMb} MB (${growth.toFixed(2)} times)`,
      holds: last === settled ? 'too short to say' : growth <= LARGEST_GROWTH,
    },
    {
      what: 'memory at the end',
      promise: `below ${LARGEST_RESIDENT_MB} MB`,
      measured: `${last.residentMb} MB`,
      holds: last.residentMb < LARGEST_RESIDENT_MB,
    },
    {
      what: 'every minute delivers what it was offered',
      promise: `at least ${RATE_SHARE * 100} % of ${offered}/s`,
      measured: `slowest minute ${slowest}/s`,
      holds: slowest >= offered * RATE_SHARE,
    },
    {
      what: 'backlog at the end of a minute',
      promise: `at most ${BACKLOG_SECONDS} s of events`,
      measured: `largest ${backlog}`,
      holds: backlog <= offered * BACKLOG_SECONDS,
    },
    {
      what: 'p99 stays flat',
      promise: `at most ${LARGEST_P99_GROWTH} times the first, or ${LOW_P99_MS} ms`,
      measured: `${early} ms → worst ${worst} ms`,
      holds: worst <= Math.max(LARGEST_P99_GROWTH * early, LOW_P99_MS),
    },
    { what: 'requests refused', promise: 'none', measured: String(refused), holds: refused === 0 },
  ];
}
