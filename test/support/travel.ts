import type { FakeClock } from '../../infra/embedded/clock.ts';

/** Lets everything that was set off come to rest: real work, real sockets, but never the clock. */
const SETTLE_MS = 25;
const LONGEST_WORK_MS = 30_000;
/**
 * Iterations of the event loop in which a message that has become visible reaches its function. Time alone is not
 * enough: in a process that had to wait for the processor, timers fire before the work that was under way goes on.
 */
const ITERATIONS = 30;
/** Steps that pass in real time from one that woke something: a busy machine may be late. */
const RESTLESS_STEPS = 2;
export const settle = (ms = SETTLE_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets work begin for some time, and waits until none has gone on for some iterations of the event loop. */
export async function rest(isBusy: () => boolean, settleMs: number): Promise<void> {
  const isQuiet = async () => {
    for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
      if (isBusy()) return false;
      await new Promise(setImmediate);
    }
    return true;
  };
  if (settleMs > 0) await settle(settleMs);
  for (const patience = Date.now() + LONGEST_WORK_MS; !(await isQuiet()) && Date.now() < patience;) await settle(5);
}

interface Journey {
  byMs: number;
  stepMs: number;
  settleMs?: number;
  /** The clock stands still during invocations, so that no message in flight becomes visible again. */
  isBusy?: () => boolean;
}

/** Moves the clock on in steps until the condition holds or `byMs` have passed. Returns whether the condition held. */
export async function travel(
  clock: FakeClock,
  { byMs, stepMs, settleMs = SETTLE_MS, isBusy = () => false }: Journey,
  condition: () => boolean | Promise<boolean> = () => false,
): Promise<boolean> {
  const end = clock.now() + byMs;
  await rest(isBusy, settleMs);
  let restless = 0;
  while (!(await condition())) {
    const left = end - clock.now();
    if (left <= 0) return false;
    const stepTo = clock.now() + Math.min(stepMs, left);
    // A step that wakes nothing sets nothing off.
    if ((clock.nextWake() ?? Infinity) <= stepTo) restless = RESTLESS_STEPS;
    clock.advance(stepTo - clock.now());
    await rest(isBusy, restless > 0 ? settleMs : 0);
    restless -= 1;
  }
  return true;
}
