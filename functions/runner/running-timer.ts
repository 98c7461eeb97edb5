/** Parts that the time is counted in. */
const TICKS = 20;

/**
 * Calls back after this process has run for this time, and returns the function that stops it. AWS freezes an instance
 * between invocations: a timer that became due meanwhile would fire first, before the data that has arrived is read. A
 * freeze counts as one part here.
 */
export function afterRunning(ms: number, onTime: () => void): () => void {
  let left = TICKS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    onTime();
  }, ms / TICKS).unref();
  return () => clearInterval(timer);
}
