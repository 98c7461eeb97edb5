import { createRunBatch } from '../../shared/lambda/run-batch.ts';
import { runSourceServices } from '../../shared/lambda/services.ts';
import { createRuns } from '../../shared/service/runs/runs.ts';

const { receipts, log, ...services } = runSourceServices();

/** Handles messages of the queue `runs.fifo`. */
export const handler = createRunBatch({
  execute: (group) =>
    createRuns({
      ...services,
      log: log.info,
      writeLine: (line, fields) => log.info(line, () => ({ batch: group.batch, ...fields() })),
    })(group),
  receipts,
  runTimeoutMs: services.runTimeoutMs,
  runnersPerBatch: services.runnersPerBatch,
  now: services.now,
  log,
});
