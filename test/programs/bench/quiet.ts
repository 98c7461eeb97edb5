import { setTimeout as delay } from 'node:timers/promises';
import { closedLoop } from './closed-loop.ts';
import { startPipeline } from './pipeline.ts';
import { proportionalMb, workBetween, workByProcess } from './process-measurements.ts';

export interface QuietRow {
  when: string;
  /** Memory of all processes, in MB. */
  mb: number;
  /** Processor time of all processes with nothing to do, in ms a second. */
  processorMs: number | undefined;
  /** Wakes of all threads a second. */
  wakes: number | undefined;
}

const SETTLED_SECONDS = 20;
/** The heap is collected 20 s after a burst, at most, and the second thread ends 45 s after it. */
const RELEASED_SECONDS = 60;
const IDLE_SECONDS = 60;
const EVENTS = 40_000;
const TEXT = JSON.stringify('x'.repeat(100));

/** A service with nothing to do: just started, and after a burst of events. */
export async function quiet(): Promise<QuietRow[]> {
  const pipeline = await startPipeline();
  const { service } = pipeline;
  try {
    const fresh = await idle('fresh', SETTLED_SECONDS);
    let events = 0;
    while (events < EVENTS) events += (await closedLoop(pipeline, { seconds: 5, text: TEXT })).events;
    const mb = proportionalMb(service);
    const later = await idle('two minutes later', RELEASED_SECONDS);
    return [fresh, { when: `after ${events} events`, mb, processorMs: undefined, wakes: undefined }, later];
  } finally {
    await pipeline.stop();
  }

  async function idle(when: string, settledSeconds: number): Promise<QuietRow> {
    await delay(settledSeconds * 1_000);
    const before = workByProcess(service);
    await delay(IDLE_SECONDS * 1_000);
    const { ms, waits } = workBetween(before, workByProcess(service));
    return { when, mb: proportionalMb(service), processorMs: ms / IDLE_SECONDS, wakes: waits / IDLE_SECONDS };
  }
}
