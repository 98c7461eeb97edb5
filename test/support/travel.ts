import type { FakeClock } from '../../infra/embedded/clock.ts';

/** Lets everything that was set off come to rest: real work, real sockets, but never the clock. */
const SETTLE_MS = 25;
export const settle = (ms = SETTLE_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Moves the clock on in steps until the condition holds, or `byMs` have passed; tells whether it held. */
export async function travel(
  clock: FakeClock,
  { byMs, stepMs, settleMs = SETTLE_MS }: { byMs: number; stepMs: number; settleMs?: number },
  condition: () => boolean | Promise<boolean> = () => false,
): Promise<boolean> {
  const end = clock.now() + byMs;
  await settle(settleMs);
  while (!(await condition())) {
    const left = end - clock.now();
    if (left <= 0) return false;
    clock.advance(Math.min(stepMs, left));
    await settle(settleMs);
  }
  return true;
}
