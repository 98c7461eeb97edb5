import { createTickSender, createJobSender } from '../../aws/queues.ts';
import { createMetricsJob } from '../../service/metrics/metrics-job.ts';
import { metricSubjects } from '../../store/users/metric-subjects.ts';
import { metricStore } from '../../store/users/metrics.ts';
import { environment } from '../environment.ts';
import { describeError } from '../log.ts';
import { consumedQueue, log, now, oauthFunction, sqs, table } from './common-wiring.ts';

export function jobServices() {
  const env = environment('RUNS_QUEUE_URL', 'TIMERS_QUEUE_URL');
  const logger = log('timers');
  return {
    metricsJob: createMetricsJob({
      metrics: metricStore(table()),
      subjects: metricSubjects(table()),
      onFailed: (subject, error) => logger.warn('metrics.failed', { subject, error: describeError(error) }),
      now,
    }),
    sendTicks: createTickSender({ sqs, queueUrl: env.RUNS_QUEUE_URL }),
    sendJobs: createJobSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
    oauthFunction: oauthFunction(),
    ...consumedQueue(),
    log: logger,
    now,
  };
}
