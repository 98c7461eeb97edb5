import { ByteRate } from './byte-rate.ts';
import { FairGate } from './fair-gate.ts';
import { WorkSteps } from './work-steps.ts';

const MIB = 1024 * 1024;
/** Bytes of event bodies for one user. A stream of the largest events has 100 MiB. */
const BYTES_PER_SECOND = 32 * MIB;
const BURST_BYTES = 128 * MIB;

/** Limits of the reads of event bodies in one thread. */
export class ReadBudget {
  /** Reads of one user wait for one another. */
  readonly gate = new FairGate();
  readonly rate = new ByteRate({
    bytesPerSecond: BYTES_PER_SECOND,
    burstBytes: BURST_BYTES,
    now: () => performance.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  readonly steps = new WorkSteps();
}

/** The property of `process` with a {@link ReadBudget}, where several functions share a thread. */
export const READ_BUDGET = Symbol.for('tributary.read.budget');
