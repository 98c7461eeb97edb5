/**
 * The deadline of every condition that a test waits for. An idle machine needs far less; a busy machine must not reach
 * it.
 */
export const DEADLINE_MS = 90_000;

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/** Looks take processor time from what is waited for, so a long wait is at most a tenth longer. */
const pauseAfter = (waitedMs: number): number => Math.min(Math.max(FIRST_PAUSE_MS, waitedMs / 10), LONGEST_PAUSE_MS);

/** Waits for a condition; the response is what the condition gave. With `everyMs` all pauses are equal. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs = DEADLINE_MS, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs ?? pauseAfter(waitedMs)));
  }
}
