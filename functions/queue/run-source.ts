import { createRunBatch } from '../../shared/lambda/run-batch.ts';
import { describeError } from '../../shared/lambda/log.ts';
import { runSourceServices } from '../../shared/lambda/wiring/run-wiring.ts';
import { createRuns } from '../../shared/service/runs/runs.ts';

const { receipts, setAside, log, ...services } = runSourceServices();

/** Handles messages of the queue `runs.fifo`. */
export const handler = createRunBatch({
  execute: createRuns({
    ...services,
    setAside,
    log: log.info,
    writeLine: log.info,
    onReturned: (about, error) => {
      log.warn('trigger.returned', { ...about, error: describeError(error) });
    },
  }),
  receipts,
  setAside,
  runTimeoutMs: services.runTimeoutMs,
  runnersPerBatch: services.runnersPerBatch,
  now: services.now,
  log,
});
