import { Session } from 'node:inspector/promises';

/** A minute with less processor time is quiet. A collection of a burst's garbage takes half of it. */
const QUIET_MS = 600;

const usedMs = (): number => process.cpuUsage().user / 1_000;

/** `gc()` would need an option of Node, and gives back neither the young generation nor pages of the old one. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** Returns a check for each minute. It collects the heap of a burst, which V8 keeps while nothing is allocated. */
export function releaseAfterBursts(processorMs = usedMs, collect = collectGarbage): () => Promise<void> {
  let before = processorMs();
  let wasBusy = false;
  return async () => {
    const now = processorMs();
    const isBusy = now - before > QUIET_MS;
    before = now;
    if (wasBusy && !isBusy) await collect();
    wasBusy = isBusy;
  };
}
