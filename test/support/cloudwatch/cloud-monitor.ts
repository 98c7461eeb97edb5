import * as z from 'zod';
import type { Clock } from '../../../infra/embedded/clock.ts';
import type { LogLine } from '../../../infra/embedded/lambda/private-process.ts';
import type { Resource } from '../../../infra/embedded/template/interpret.ts';
import type { TestCloud } from '../cloud.ts';
import { logFilterOf } from './log-filter.ts';
import { MetricData } from './metric-data.ts';

/** A line of the embedded metric format. */
const MetricsLine = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.tuple([z.tuple([])]),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.enum(['Count', 'Milliseconds']) })),
      }),
    ),
  }),
});

const Logging = z.looseObject({ LoggingConfig: z.looseObject({ LogGroup: z.string() }) });

/** Computes the metrics that AWS would have of what happens in an embedded cloud. */
export class CloudMonitor {
  readonly data = new MetricData();
  readonly #cloud: TestCloud;
  readonly #clock: Clock;
  #linesRead = 0;

  constructor(cloud: TestCloud, clock: Clock) {
    this.#cloud = cloud;
    this.#clock = clock;
  }

  /** Looks at queues and functions now, and reads the log since the last look. Call it several times a minute. */
  sample(): void {
    const { services, functions } = this.#cloud.cloud;
    for (const queue of services.stack.ofType('AWS::SQS::Queue')) this.#sampleQueue(queue);
    const running = [...functions.values()].reduce((sum, host) => sum + host.running, 0);
    if (running > 0) this.count('AWS/Lambda', 'ConcurrentExecutions', {}, running);
    const { logs } = this.#cloud;
    for (const line of logs.slice(this.#linesRead)) this.#readLine(line);
    this.#linesRead = logs.length;
  }

  /** Adds a value that only the test knows: an injected refusal, the status of a response. */
  count(namespace: string, name: string, dimensions: Record<string, string> = {}, value = 1): void {
    this.data.add({ namespace, name, dimensions }, this.#clock.now(), value);
  }

  /** A dead-letter queue, which nothing polls, has values only while it has messages. */
  #sampleQueue({ attributes, properties }: Resource): void {
    const { sqs } = this.#cloud.cloud.services;
    const { Arn = '', QueueName = '' } = attributes;
    const { visible } = sqs.countsOf(Arn);
    const age = sqs.oldestAgeOf(Arn);
    if (age !== undefined)
      this.count('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName }, Math.floor(age / 1_000));
    if (visible > 0 || properties['RedrivePolicy'] !== undefined)
      this.count('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, visible);
  }

  /** The host's line for a failed invocation stands for Lambda's report; lines of functions are JSON. */
  #readLine({ functionName, level, text }: LogLine): void {
    if (functionName.startsWith('arn:aws:scheduler:'))
      this.count('AWS/Scheduler', 'TargetErrorCount', { ScheduleGroup: groupOf(functionName) });
    else if (text.startsWith('{')) this.#readJson(functionName, JSON.parse(text));
    else if (level === 'error') this.#readJson(functionName, { type: 'platform.report', record: { status: 'error' } });
  }

  #readJson(functionName: string, line: unknown): void {
    this.#readMetrics(line);
    const { stack } = this.#cloud.cloud.services;
    const [made] = stack.ofType('AWS::Lambda::Function').filter(({ ref }) => ref === functionName);
    if (!made) return;
    const { LogGroup } = Logging.parse(made.properties).LoggingConfig;
    for (const { logGroup, metric, matches } of stack.ofType('AWS::Logs::MetricFilter').map(logFilterOf))
      if (logGroup === LogGroup && matches(line)) this.data.add(metric, this.#clock.now(), 1);
  }

  #readMetrics(line: unknown): void {
    const { success, data } = MetricsLine.safeParse(line);
    if (!success) return;
    const { Timestamp, CloudWatchMetrics } = data._aws;
    for (const { Namespace: namespace, Metrics } of CloudWatchMetrics)
      for (const { Name: name } of Metrics)
        this.data.add({ namespace, name, dimensions: {} }, Timestamp, z.number().parse(data[name]));
  }
}

/** `arn:aws:scheduler:…:schedule/GROUP/NAME` */
const groupOf = (scheduleArn: string): string => scheduleArn.split('/').at(1) ?? '';
