import type { Construct } from 'constructs';
import { metricNamespaceOf } from '../shared/domain/metrics/service-metric-names.ts';
import { runnerMemoryMb } from '../shared/domain/runner/runner-memory.ts';
import type { InvokedGroup } from '../shared/http/gateway-routes.ts';
import { grantGroup } from './grant-group.ts';
import { READ_AND_WRITE } from './constructs/event-table.ts';
import { FunctionUrl } from './constructs/function-url.ts';
import { SignedUrl } from './constructs/signed-url.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import { FunctionFactory, type FunctionFactoryProps } from './function-factory.ts';
import { countRuns, Grants, sendRuns, sendJobs, sendToTargets, setNetwork } from './grants.ts';
import type { Resources } from './resources.ts';
import { sizing } from './sizing.ts';
import type { Stage } from './stage.ts';
import { stageVariables } from './stage-variables.ts';

interface FunctionsProps extends FunctionFactoryProps {
  resources: Resources;
}

/** The functions of the stack, each with the permissions and the environment variables that it needs. */
export class Functions {
  readonly builder: ServiceFunction;
  readonly runner: ServiceFunction;
  readonly oauth: ServiceFunction;
  /** Live streams as long polls. */
  readonly poll: ServiceFunction;
  /** The origin of live streams. */
  readonly liveUrl: string;
  private readonly stage: Stage;
  private readonly resources: Resources;
  private readonly factory: FunctionFactory;
  private readonly grants: Grants;

  constructor(scope: Construct, { stage, assetOf, resources }: FunctionsProps) {
    this.stage = stage;
    this.resources = resources;
    this.factory = new FunctionFactory(scope, { stage, assetOf });
    const { NPM_REGISTRY, COMPONENT_HOSTS, RUNNER_HOSTS } = stageVariables(stage);
    this.builder = this.factory
      .untrusted('Builder', 'builder', sizing.functions.builder)
      .env('NPM_REGISTRY', NPM_REGISTRY)
      .env('COMPONENT_HOSTS', COMPONENT_HOSTS);
    setNetwork(this.builder, stage);
    const { warmRunners } = stage;
    const memoryMb = runnerMemoryMb({ ...stage.limits, warmRunners });
    this.runner = this.factory
      .untrusted('Runner', 'runner', { ...sizing.functions.runner, memoryMb })
      .env('RUNNER_WARM', String(warmRunners))
      .env('RUNNER_HOSTS', RUNNER_HOSTS);
    setNetwork(this.runner, stage);
    resources.egress?.connect(this.runner);
    this.oauth = this.oauthFunction();
    this.poll = this.liveFunction('PollFunction', sizing.functions.poll, { handler: 'index.poll' });
    this.liveUrl = stage.live === 'off' ? resources.publicApi.address.url : this.streams(scope).url;
    const { builder, runner, oauth } = this;
    this.grants = new Grants({ stage, resources, builder, runner, oauth });
  }

  /** Only this function can decrypt refresh tokens and the secrets of clients. */
  private oauthFunction(): ServiceFunction {
    const { table, accountKey, publicApi, jobs, schedules } = this.resources;
    const made = this.factory.create('OAuthFunction', 'oauth', sizing.functions.oauth);
    // Names of accounts are reserved, and accounts counted, with their items.
    table.grant(made, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query');
    accountKey.grantOAuth(made);
    setNetwork(made, this.stage);
    sendJobs(made, this.resources);
    sendRuns(made, this.resources);
    made.env('TIMERS_QUEUE_ARN', jobs.queue.queueArn);
    schedules.grant(made, 'CreateSchedule');
    return made.env('PUBLIC_API_URL', publicApi.address.url);
  }

  private streams(scope: Construct): FunctionUrl | SignedUrl {
    const to = this.liveFunction('LiveFunction', sizing.functions.live);
    return this.stage.live === 'signed'
      ? new SignedUrl(scope, 'Signed', { stackName: this.stage.stackName, to })
      : new FunctionUrl(scope, 'Live', { to });
  }

  private liveFunction(id: string, size: typeof sizing.functions.live, more: { handler?: string } = {}) {
    const { table, objects } = this.resources;
    const made = this.factory.create(id, 'live', size, { ...more, ...reserved(this.stage.concurrency.live) });
    table.grant(made, 'GetItem', 'UpdateItem', 'Query');
    objects.grant(made, { bodies: ['GetObject'] });
    return made.env('LIMITS', stageVariables(this.stage).LIMITS);
  }

  group(group: InvokedGroup): ServiceFunction {
    const size = sizing.functions[group === 'console' ? group : 'api'];
    const made = this.factory.create(constructIdOf(group), group, size);
    const { stage, resources, grants, liveUrl } = this;
    grantGroup(made, group, { stage, resources, grants, liveUrl });
    return made;
  }

  ingress(): ServiceFunction {
    const { table, objects, runs, schedules, ingress } = this.resources;
    const made = this.factory.create(
      'IngressFunction',
      'ingress',
      sizing.functions.ingress,
      reserved(this.stage.concurrency.ingress),
    );
    table.grant(made, ...READ_AND_WRITE, 'ConditionCheckItem');
    objects.grant(made, {
      bundles: ['GetObject'],
      bodies: ['PutObject', 'DeleteObject'],
      payloads: ['PutObject', 'List'],
    });
    sendRuns(made, this.resources);
    countRuns(made, this.resources);
    made.env('RUNS_QUEUE_ARN', runs.queue.queueArn);
    this.grants.sendDeliveries(made);
    this.grants.runCode(made);
    schedules.grant(made, 'CreateSchedule', 'DeleteSchedule');
    this.countMetrics(made);
    made.env('EVENTS_PER_ITEM', String(this.stage.eventsPerItem));
    return made.env('INGRESS_URL', ingress.address.url).env('LIMITS', stageVariables(this.stage).LIMITS);
  }

  runSource(): void {
    const { table, objects, runs, jobs, schedules, ingress } = this.resources;
    const made = this.factory.forQueue('RunSource', 'run-source');
    table.grant(made, ...READ_AND_WRITE);
    objects.grant(made, {
      bundles: ['GetObject'],
      bodies: ['GetObject', 'PutObject', 'DeleteObject'],
      payloads: ['GetObject', 'PutObject', 'DeleteObject'],
    });
    const { runs: maximumConcurrency, runnersPerBatch } = this.stage.concurrency;
    runs.consumedBy(made, { maximumConcurrency });
    made.env('RUNNERS_PER_BATCH', String(runnersPerBatch));
    // One instance is left to the sources that are not behind.
    made.env('MAX_SLICES', String(Math.max(1, maximumConcurrency - 1)));
    made.env('EVENTS_PER_ITEM', String(this.stage.eventsPerItem));
    sendRuns(made, this.resources);
    made.env('RUNS_QUEUE_ARN', runs.queue.queueArn);
    this.grants.sendDeliveries(made);
    sendJobs(made, this.resources);
    made.env('TIMERS_QUEUE_ARN', jobs.queue.queueArn);
    this.grants.runCode(made);
    schedules.grant(made, 'CreateSchedule', 'UpdateSchedule', 'DeleteSchedule');
    this.countMetrics(made);
    made.env('INGRESS_URL', ingress.address.url).env('LIMITS', stageVariables(this.stage).LIMITS);
  }

  deliverEvent(): void {
    const { table, objects, deliveries, accountKey, egress } = this.resources;
    const made = this.factory.forQueue('DeliverEvent', 'deliver-event');
    table.grant(made, ...READ_AND_WRITE);
    objects.grant(made, { payloads: ['GetObject', 'PutObject', 'DeleteObject'] });
    deliveries.consumedBy(made, { maximumConcurrency: this.stage.concurrency.deliveries });
    sendRuns(made, this.resources);
    this.grants.sendDeliveries(made);
    this.grants.sendRetries(made);
    setNetwork(made, this.stage);
    sendToTargets(made, this.stage, this.resources);
    egress?.connect(made);
    accountKey.grantOpenListeners(made);
    this.countMetrics(made);
    made.env('LIMITS', stageVariables(this.stage).LIMITS);
  }

  retryDelivery(): void {
    const { table, objects, retries, schedules, accountKey, egress } = this.resources;
    const made = this.factory.forQueue('RetryDelivery', 'retry-delivery');
    table.grant(made, ...READ_AND_WRITE);
    objects.grant(made, { payloads: ['GetObject', 'DeleteObject'] });
    retries.consumedBy(made, { maximumConcurrency: this.stage.concurrency.retries });
    sendRuns(made, this.resources);
    this.grants.sendRetries(made);
    made.env('RETRIES_QUEUE_ARN', retries.queue.queueArn);
    schedules.grant(made, 'CreateSchedule', 'DeleteSchedule');
    // The heartbeat passes through both queues.
    sendJobs(made, this.resources);
    schedules.add('Heartbeat', {
      expression: 'rate(1 minute)',
      queue: retries.queue,
      input: JSON.stringify({ kind: 'heartbeat', scheduledAt: '<aws.scheduler.scheduled-time>' }),
      reader: made,
    });
    setNetwork(made, this.stage);
    sendToTargets(made, this.stage, this.resources);
    egress?.connect(made);
    accountKey.grantOpenListeners(made);
    this.countMetrics(made);
  }

  jobs(): void {
    const { table, jobs, heartbeat, schedules, ingress, publicApi } = this.resources;
    const made = this.factory.forQueue('TimersFunction', 'jobs');
    // It adds up metrics, and marks that triggers wait.
    table.grant(made, 'PutItem', 'Query');
    schedules.add('Metrics', {
      expression: METRICS_SUMMED_AT,
      queue: jobs.queue,
      input: JSON.stringify({ kind: 'metrics' }),
      reader: made,
    });
    jobs.consumedBy(made, { maximumConcurrency: this.stage.concurrency.timers });
    heartbeat.grantReport(made);
    countRuns(made, this.resources);
    made.env('PUBLIC_API_URL', publicApi.address.url).env('INGRESS_URL', ingress.address.url);
    sendJobs(made, this.resources);
    sendRuns(made, this.resources);
    this.grants.askForTokens(made);
  }

  get all(): readonly ServiceFunction[] {
    return this.factory.made;
  }

  private countMetrics(made: ServiceFunction): void {
    made.env('METRIC_NAMESPACE', metricNamespaceOf(this.stage.stackName));
  }
}

/** 35 minutes after each hour: an hour is added up when it ended half an hour ago. */
const METRICS_SUMMED_AT = 'cron(35 * * * ? *)';

/** The key of the accounts has the id `Accounts`. */
const constructIdOf = (group: InvokedGroup) => (group === 'accounts' ? 'AccountsFunction' : capitalised(group));

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const reserved = (executions: number | undefined) =>
  executions === undefined ? {} : { reservedConcurrentExecutions: executions };
