import { Session } from 'node:inspector/promises';

/** Time between two checks. */
export const RELEASE_CHECK_MS = 10_000;
/** Processor time between two checks of a quiet service. A collection takes more. */
const QUIET_MS = 100;
/** Memory of the process that is worth a collection. A service with few sources starts with half of it. */
const LARGE_BYTES = 200_000_000;
/** Growth since the last collection, as a factor. */
const GROWTH = 1.25;

interface Usage {
  /** Processor time in ms. */
  readonly processorMs: number;
  /** Resident memory. */
  readonly bytes: number;
}

const usageOfProcess = (): Usage => ({
  processorMs: process.cpuUsage().user / 1_000,
  bytes: process.memoryUsage.rss(),
});

/** `gc()` would need an option of Node, and gives back neither the young generation nor pages of the old one. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** Returns a check. It collects the heap of a burst, which V8 keeps while little is allocated. */
export function releaseAfterBursts(usage = usageOfProcess, collect = collectGarbage): () => Promise<void> {
  let { processorMs: before } = usage();
  let large = LARGE_BYTES;
  return async () => {
    const { processorMs, bytes } = usage();
    const isQuiet = processorMs - before <= QUIET_MS;
    before = processorMs;
    if (!isQuiet || bytes < large) return;
    await collect();
    const after = usage();
    before = after.processorMs;
    large = Math.max(LARGE_BYTES, after.bytes * GROWTH);
  };
}
