import * as z from 'zod';
import { sizing } from '../../../infra/sizing.ts';
import { Stage } from '../../../infra/stage.ts';
import { SERVICE_METRICS } from '../../../shared/domain/metrics/service-metric-names.ts';
import { runnerMemoryMb } from '../../../shared/domain/runner/runner-memory.ts';
import type { Resource, Template } from '../../support/template.ts';
import { dollars, sum, times, type Units } from './prices.ts';
import type { AccountCounts, EventCounts, PollCounts, Recorded, WaitingCounts } from './recorded.ts';

const stage = Stage.parse({});

/** Memory of the functions that an event passes, MB. */
export const memoryMb = {
  ingress: sizing.functions.ingress.memoryMb,
  'run-source': sizing.functions['run-source'].memoryMb,
  runner: runnerMemoryMb({ ...stage.limits, warmRunners: stage.warmRunners }),
  'deliver-event': sizing.functions['deliver-event'].memoryMb,
};
export type FunctionOfEvent = keyof typeof memoryMb;

/** Memory that buys one vCPU: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const VCPU_MB = 1_769;
export const vcpus = (name: FunctionOfEvent): number => memoryMb[name] / VCPU_MB;

/**
 * Assumed, because this machine cannot count it: ms of a whole vCPU for an invocation and for each message, and ms of
 * waiting.
 */
export const work: Readonly<Record<FunctionOfEvent, { cpuMs: number; cpuMsPerMessage: number; waitMs: number }>> = {
  ingress: { cpuMs: 1.5, cpuMsPerMessage: 0, waitMs: 4 },
  'run-source': { cpuMs: 3, cpuMsPerMessage: 0.5, waitMs: 10 },
  runner: { cpuMs: 1, cpuMsPerMessage: 0.3, waitMs: 2 },
  'deliver-event': { cpuMs: 3, cpuMsPerMessage: 0.8, waitMs: 35 },
};

export function billedMs(name: FunctionOfEvent, messages: number): number {
  const { cpuMs, cpuMsPerMessage, waitMs } = work[name];
  return (cpuMs + cpuMsPerMessage * messages) / vcpus(name) + waitMs;
}

/** The line of a batch or request, per invocation; Lambda writes none of its own. Assumed. */
const LOG_GB = 0.2e-6;

/** A month with runs and deliveries of which some fail. */
export const unitsOfMetrics: Units = { metricMonth: Object.keys(SERVICE_METRICS).length };

/** The lines of an event at `info`: its request, its run and its attempt. Assumed. */
export const EVENT_LOG_GB = 1.2e-6;

/** The units with the logs of their invocations. */
export const logged = (units: Units): Units => sum(units, { logGb: LOG_GB * (units.invocation ?? 0) });

function invocation(name: FunctionOfEvent, ms: number): Units {
  const seconds = ms / 1_000;
  const temporaryMb = name === 'runner' ? sizing.functions.runner.temporaryMb : 0;
  return {
    invocation: 1,
    gbSecond: seconds * (memoryMb[name] / 1_024),
    temporaryGbSecond: (seconds * Math.max(0, temporaryMb - 512)) / 1_024,
  };
}

const messagesOf = (
  counts: Pick<EventCounts, 'sqsRequests' | 'sqsFifoRequests' | 'writeUnits' | 'readUnits'>,
): Units => ({
  writeUnit: counts.writeUnits,
  readUnit: counts.readUnits,
  fifoRequest: counts.sqsFifoRequests,
  standardRequest: counts.sqsRequests - counts.sqsFifoRequests,
});

/** One event: HTTP in → user code → stored → delivered. Without its logs. */
export function unitsOfEvent(counts: Omit<EventCounts, 'webhooks' | 'batches' | 'body'>): Units {
  const { perBatch } = counts;
  const queued = (['run-source', 'runner', 'deliver-event'] as const).map((name) =>
    times(1 / perBatch, invocation(name, billedMs(name, perBatch))),
  );
  return sum(
    messagesOf(counts),
    { httpRequest: 1, objectPut: counts.objectPuts, objectGet: counts.objectGets },
    invocation('ingress', billedMs('ingress', 1)),
    ...queued,
  );
}

/** The logs of one event, and of its invocations. */
export const logsOfEvent = (units: Units): Units => ({
  logGb: EVENT_LOG_GB + LOG_GB * (units.invocation ?? 0),
});

/** US$ per million events. */
export const pricePerMillion = (counts: Parameters<typeof unitsOfEvent>[0]): number =>
  1e6 * dollars(unitsOfEvent(counts));

export const SECONDS_PER_MONTH = 730 * 60 * 60;

/** A new environment of the runner: its price, and a second for its start. Assumed. */
const START_MS = 1_000;
export const unitsOfEnvironment: Units = {
  environmentGb: memoryMb.runner / 1_024,
  gbSecond: (START_MS / 1_000) * (memoryMb.runner / 1_024),
};

/** Assumed: Lambda ends an environment that is idle for this long, and replaces one that is in use after two hours. */
const IDLE_SECONDS = 10 * 60;
const IN_USE_SECONDS = 2 * 60 * 60;

/**
 * Environments that a source with a connected account needs in a month, or the sources of a user without one together.
 */
export const environmentsPerMonth = (everySeconds: number): number =>
  SECONDS_PER_MONTH / (everySeconds < IDLE_SECONDS ? IN_USE_SECONDS : everySeconds);

export interface Polling {
  everySeconds: number;
  runMs: number;
}

/** A month of a source that polls and finds nothing. run-source waits for the runner. */
export function unitsOfPolling(counts: PollCounts, { everySeconds, runMs }: Polling): Units {
  const poll = sum(
    messagesOf(counts),
    { scheduledTick: 1 },
    invocation('run-source', billedMs('run-source', 1) + runMs),
    invocation('runner', billedMs('runner', 1) + runMs),
  );
  return sum(
    times(SECONDS_PER_MONTH / everySeconds, logged(poll)),
    times(environmentsPerMonth(everySeconds), unitsOfEnvironment),
  );
}

/** Assumed: the write that stores ten triggers. */
const STORE_MS = 10;

/** A trigger that waits in a backlog, in addition to its run. Ten are moved by one invocation. */
export const unitsOfWaiting = ({ writeUnits, readUnits }: WaitingCounts): Units =>
  sum(
    { writeUnit: writeUnits, readUnit: readUnits },
    times(1 / 10, invocation('run-source', billedMs('run-source', 10) + STORE_MS)),
  );

/** Assumed: work of a renewal, and the time that its provider takes. */
const RENEWAL = { cpuMs: 10, waitMs: 500 };
/** run-source reads the fields of an account from KMS again after this. */
const FIELDS_SECONDS = 300;
const DAY_SECONDS = 24 * 60 * 60;
/** The daily job renews an account that nothing used for a week. */
const IDLE_DAYS = 7;

const unitsOfCounts = ({ writeUnits, readUnits, keyRequests }: AccountCounts): Units => ({
  writeUnit: writeUnits,
  readUnit: readUnits,
  keyRequest: keyRequests,
});

/** `waiting`: memory of the function that waits for the renewal, MB. */
function unitsOfRenewal(counts: AccountCounts, waiting: number): Units {
  const { memoryMb: own } = sizing.functions.oauth;
  const seconds = (RENEWAL.cpuMs / (own / VCPU_MB) + RENEWAL.waitMs) / 1_000;
  return logged(
    sum(unitsOfCounts(counts), {
      // The secret of the client, which is kept for five minutes.
      keyRequest: 1,
      invocation: counts.invocations,
      gbSecond: (seconds * (own + waiting)) / 1_024,
    }),
  );
}

/** The part of a source's month that its account of kind `oauth` adds; the token lives for an hour. */
export function unitsOfAccount({ run, renewal }: Recorded['account'], everySeconds: number): Units {
  const renewals = SECONDS_PER_MONTH / Math.max(everySeconds, 3_600);
  return sum(
    times(SECONDS_PER_MONTH / everySeconds, unitsOfCounts(run)),
    times(renewals, unitsOfRenewal(renewal, memoryMb['run-source'])),
    // A renewal's own count has the fields that it changed.
    { keyRequest: Math.max(0, SECONDS_PER_MONTH / Math.max(everySeconds, FIELDS_SECONDS) - renewals) },
  );
}

/** A month of an account that nothing uses: the daily job looks at each, in messages of ten. */
export function unitsOfIdleAccount({ renewal, check }: Recorded['account']): Units {
  const days = SECONDS_PER_MONTH / DAY_SECONDS;
  const message: Units = {
    standardRequest: 3 * check.invocations,
    // The functions `jobs` and `oauth`.
    invocation: 2 * check.invocations,
  };
  return sum(
    times(days, sum(unitsOfCounts(check), logged(message))),
    times(days / IDLE_DAYS, unitsOfRenewal(renewal, sizing.functions.jobs.memoryMb)),
  );
}

/** Assumed: billed times of the functions that a heartbeat passes, ms. */
const HEARTBEAT_MS = { passing: 20, probing: 90, answering: 9 };

/** Long polls of one idle event-source mapping: five pollers wait for 20 s each. */
const EMPTY_RECEIVES = (5 * SECONDS_PER_MONTH) / 20;

const resources = ({ Resources }: Template, type: string): Resource[] =>
  Object.values(Resources).filter(({ Type }) => Type === type);

/** https://aws.amazon.com/cloudwatch/pricing/: an account's first dashboards, each with up to 50 metrics. */
const FREE_DASHBOARDS = 3;
export const FREE_DASHBOARD_METRICS = 50;

/** An alarm is billed by the metrics that it reads. */
const Watched = z.looseObject({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});
const metricsOfAlarm = ({ Properties }: Resource): number =>
  Watched.parse(Properties).Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;

/**
 * The heartbeat of a month: each minute a schedule sends a message through the queues retries and jobs, two requests
 * call `/healthz`, and a message reports success. A message ends a long poll early, half of one on average.
 */
export const unitsOfHeartbeat: Units = times(SECONDS_PER_MONTH / 60, {
  scheduledTick: 1,
  standardRequest: 2 * (1 + 1 + 0.5) + 1,
  // Asks how many triggers wait.
  fifoRequest: 1,
  httpRequest: 2,
  // retry-delivery, jobs, and the functions of both requests, which write no line.
  invocation: 4,
  logGb: 2 * LOG_GB,
  readUnit: 3,
  gbSecond:
    (HEARTBEAT_MS.passing * sizing.functions['retry-delivery'].memoryMb +
      HEARTBEAT_MS.probing * sizing.functions.jobs.memoryMb +
      2 * HEARTBEAT_MS.answering * sizing.functions.api.memoryMb) /
    1_024_000,
});

/** A month of a stack without a source. Its own metrics have no values then. */
export function unitsOfIdle(template: Template): Units {
  const fifo = resources(template, 'AWS::SQS::Queue').filter(
    ({ Properties }) => Properties['FifoQueue'] === true && Properties['RedrivePolicy'] !== undefined,
  ).length;
  const mappings = resources(template, 'AWS::Lambda::EventSourceMapping').length;
  return sum(unitsOfHeartbeat, {
    keyMonth: resources(template, 'AWS::KMS::Key').length,
    alarmMonth: resources(template, 'AWS::CloudWatch::Alarm').reduce(
      (total, alarm) => total + metricsOfAlarm(alarm),
      0,
    ),
    dashboardMonth: Math.max(0, resources(template, 'AWS::CloudWatch::Dashboard').length - FREE_DASHBOARDS),
    fifoRequest: fifo * EMPTY_RECEIVES,
    standardRequest: (mappings - fifo) * EMPTY_RECEIVES,
  });
}
