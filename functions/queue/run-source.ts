import { createRunBatch } from '../../shared/lambda/run-batch.ts';
import { runSourceServices } from '../../shared/lambda/services.ts';
import { executeGroup } from '../../shared/service/runs/execute-group.ts';

const { receipts, log, ...services } = runSourceServices();

/** The triggers of `runs.fifo`. */
export const handler = createRunBatch({
  execute: (group) => executeGroup({ ...services, log: log.info }, group),
  receipts,
  runTimeoutMs: services.limits.runTimeoutMs,
  now: services.now,
  log,
});
