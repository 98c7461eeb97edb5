import { JobsMessage } from '../../shared/domain/run/message.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { jobServices } from '../../shared/lambda/wiring/job-wiring.ts';
import { createJobHandler } from '../../shared/service/timers/handle-job.ts';

const { setAside, receipts, log, heartbeat, ...services } = jobServices();
const handleJob = createJobHandler(services);

/** Handles messages of the queue of jobs. */
export const handler = eachMessage({
  parse: (body) => JobsMessage.parse(JSON.parse(body)),
  handle: (message) => (message.kind === 'heartbeat' ? heartbeat(message) : handleJob(message)),
  setAside,
  receipts,
  log,
});
