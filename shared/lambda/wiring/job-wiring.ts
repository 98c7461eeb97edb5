import { createHeartbeatCalls } from '../../aws/heartbeat-calls.ts';
import { createTickSender, createJobSender } from '../../aws/queues.ts';
import { pathBase } from '../../domain/source/endpoint-address.ts';
import { createHeartbeat } from '../../service/timers/heartbeat.ts';
import { createMetricsJob } from '../../service/metrics/metrics-job.ts';
import { metricSubjects } from '../../store/users/metric-subjects.ts';
import { serviceMarkStore } from '../../store/table/service-marks.ts';
import { metricStore } from '../../store/users/metrics.ts';
import { environment } from '../environment.ts';
import { describeError } from '../log.ts';
import { consumedQueue, log, now, oauthFunction, sqs, table } from './common-wiring.ts';

export function jobServices() {
  const env = environment('RUNS_QUEUE_URL', 'TIMERS_QUEUE_URL', 'HEARTBEAT_QUEUE_URL', 'PUBLIC_API_URL', 'INGRESS_URL');
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
    heartbeat: createHeartbeat({
      ...createHeartbeatCalls({ sqs, runsQueueUrl: env.RUNS_QUEUE_URL, heartbeatQueueUrl: env.HEARTBEAT_QUEUE_URL }),
      marks: serviceMarkStore(table()),
      addresses: [env.PUBLIC_API_URL, pathBase(env.INGRESS_URL)].map((base) => `${base}/healthz`),
      onFailed: (error) => logger.warn('heartbeat.failed', { error: describeError(error) }),
      now,
    }),
    ...consumedQueue(),
    log: logger,
    now,
  };
}
