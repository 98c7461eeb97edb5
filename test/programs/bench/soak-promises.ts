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
  /** Processor time of the service, in cores. */
  cores: number;
  /** Time of a fixed piece of work, in µs: how slow the machine is. */
  yardstickUs: number;
}

export interface SoakPromise {
  what: string;
  promise: string;
  measured: string;
  holds: boolean | 'too short to say' | 'the machine was too unsteady to say';
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
/**
 * A machine that is slower than this says nothing about the service's latency and rate, nor does the minute after,
 * which has its backlog.
 */
const LARGEST_SLOWDOWN = 1.1;
const LARGEST_COST_GROWTH = 1.2;

/**
 * Whether a soak at `offered` events per second kept its promises. The first minute warms up and counts for nothing but
 * its memory; the second is the one to compare with. A service that needs more and more processor time makes the
 * machine look slower, so its cost per event counts in every minute. It may grow as much as the time of the yardstick.
 */
export function checkPromises(minutes: readonly Minute[], offered: number): SoakPromise[] {
  const later = minutes.length > 1 ? minutes.slice(1) : minutes;
  const [first] = later;
  const last = minutes.at(-1);
  if (!first || !last) return [];
  const slowdown = ({ yardstickUs }: Minute) => yardstickUs / first.yardstickUs;
  const costs = later.map((minute) => costOf(minute) / costOf(first) / Math.max(1, slowdown(minute)));
  const isSlow = (minute?: Minute) => minute !== undefined && slowdown(minute) > LARGEST_SLOWDOWN;
  const comparable = later.filter((minute, index) => !isSlow(minute) && !isSlow(later[index - 1]));
  const refused = Math.max(...later.map((minute) => minute.refused));
  return [
    ...memoryPromises(minutes, last),
    ...loadPromises(comparable, { first, offered, left: later.length - comparable.length }),
    {
      what: 'processor time per event',
      promise: `at most ${LARGEST_COST_GROWTH} times the first, at the same speed of the machine`,
      measured: `largest ${Math.max(...costs).toFixed(2)} times`,
      holds: Math.max(...costs) <= LARGEST_COST_GROWTH,
    },
    { what: 'requests refused', promise: 'none', measured: String(refused), holds: refused === 0 },
  ];
}

const costOf = ({ cores, rate }: Minute): number => cores / rate;

function memoryPromises(minutes: readonly Minute[], last: Minute): SoakPromise[] {
  const settled = minutes[Math.min(SETTLED_AFTER_MINUTES, minutes.length) - 1] ?? last;
  const growth = last.residentMb / settled.residentMb;
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
  ];
}

interface Comparison {
  first: Minute;
  offered: number;
  /** Number of minutes that are left out because of a slower machine. */
  left: number;
}

function loadPromises(minutes: readonly Minute[], { first, offered, left }: Comparison): SoakPromise[] {
  const slowest = Math.min(...minutes.map(({ rate }) => rate));
  const backlog = Math.max(...minutes.map((minute) => minute.backlog));
  const worst = Math.max(...minutes.map(({ p99Ms }) => p99Ms));
  const without = left === 0 ? '' : `, without ${left} minutes because of a slower machine`;
  const isSteady = minutes.length >= left;
  const promise = (what: string, text: string, measured: string, holds: boolean): SoakPromise => ({
    what,
    promise: text,
    measured: `${measured}${without}`,
    holds: isSteady ? holds : 'the machine was too unsteady to say',
  });
  return [
    promise(
      'every minute delivers what it was offered',
      `at least ${RATE_SHARE * 100} % of ${offered}/s`,
      `slowest minute ${slowest}/s`,
      slowest >= offered * RATE_SHARE,
    ),
    promise(
      'backlog at the end of a minute',
      `at most ${BACKLOG_SECONDS} s of events`,
      `largest ${backlog}`,
      backlog <= offered * BACKLOG_SECONDS,
    ),
    promise(
      'p99 stays flat',
      `at most ${LARGEST_P99_GROWTH} times the first, or ${LOW_P99_MS} ms`,
      `${first.p99Ms} ms → worst ${worst} ms`,
      worst <= Math.max(LARGEST_P99_GROWTH * first.p99Ms, LOW_P99_MS),
    ),
  ];
}
