/**
 * The deadline of every condition that a test waits for. An idle machine needs far less; a busy machine must not reach
 * it.
 */
export const DEADLINE_MS = 90_000;

/** Waits for a condition; the response is what the condition gave. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs = DEADLINE_MS, everyMs = 20 } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
