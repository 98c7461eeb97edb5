import { JobMessage } from '../../shared/domain/run/message.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { jobServices } from '../../shared/lambda/wiring/job-wiring.ts';
import { createJobHandler } from '../../shared/service/timers/handle-job.ts';

const { setAside, receipts, log, ...services } = jobServices();

/** Handles messages of the queue of jobs. */
export const handler = eachMessage({
  parse: (body) => JobMessage.parse(JSON.parse(body)),
  handle: createJobHandler(services),
  setAside,
  receipts,
  log,
});
