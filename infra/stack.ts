import {
  CfnOutput,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  Stack,
  type StackProps,
} from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { RecursiveLoop, TenancyConfig } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type Group, gatewayRoutes, groups } from '../shared/http/gateway-routes.ts';
import { AccountKey } from './constructs/account-key.ts';
import { EventTable } from './constructs/event-table.ts';
import { Ingress, PublicApi } from './constructs/http-apis.ts';
import { ObjectStore } from './constructs/object-store.ts';
import { Schedules } from './constructs/source-schedules.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import { sizing } from './sizing.ts';
import type { FunctionName } from './bundle.ts';
import type { Stage } from './stage.ts';

export interface TributaryStackProps extends StackProps {
  stage: Stage;
  /** Folder of a function's bundle. */
  assetOf: (name: FunctionName) => string;
}

/** The only description of the system: AWS deploys its template, the embedded cloud interprets it. */
export class TributaryStack extends Stack {
  private readonly stage: Stage;
  private readonly assetOf: (name: FunctionName) => string;
  private readonly table = new EventTable(this, 'Events');
  private readonly objects = new ObjectStore(this, 'Objects');
  private readonly accountKey = new AccountKey(this, 'Accounts');
  private readonly runs = new WorkQueue(this, 'Runs', { name: 'runs', fifo: true });
  private readonly deliveries = new WorkQueue(this, 'Deliveries', { name: 'deliveries' });
  private readonly retries = new WorkQueue(this, 'Retries', { name: 'retries' });
  private readonly timers = new WorkQueue(this, 'Timers', { name: 'timers' });
  private readonly schedules = new Schedules(this, 'Schedules', {
    targets: [this.runs.queue, this.retries.queue, this.timers.queue],
  });
  private readonly ingress: Ingress;
  private readonly builder: ServiceFunction;
  private readonly runner: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, assetOf, ...props }: TributaryStackProps) {
    super(scope, id, {
      description: 'Tributary: event sources and subscriptions',
      synthesizer: plainSynthesizer(),
      ...props,
    });
    this.stage = stage;
    this.assetOf = assetOf;
    this.ingress = new Ingress(this, 'Ingress', stage);
    this.builder = this.untrusted('Builder', 'builder')
      .env('NPM_REGISTRY', stage.npmRegistry)
      .env('COMPONENT_HOSTS', JSON.stringify(stage.componentHosts));
    this.network(this.builder);
    this.runner = this.untrusted('Runner', 'runner')
      .env('RUNNER_WARM', String(stage.warmRunners))
      .env('RUNNER_HOSTS', JSON.stringify(stage.runnerHosts));
    this.network(this.runner);

    const api = new PublicApi(this, 'PublicApi', stage);
    for (const group of groups) api.route(gatewayRoutes[group], this.group(group));
    this.ingress.serve(this.ingressFunction());
    this.runSource();
    this.deliverEvent();
    this.retryDelivery();
    this.timersFunction();
    this.alarms();

    new CfnOutput(this, 'ApiUrl', { value: `${api.api.apiEndpoint}/v1` });
    new CfnOutput(this, 'IngressUrl', { value: this.ingress.url });
    new CfnOutput(this, 'TableName', { value: this.table.name });
    new CfnOutput(this, 'BucketName', { value: this.objects.bucket.bucketName });
    new CfnOutput(this, 'RunsQueueUrl', { value: this.runs.queue.queueUrl });
    new CfnOutput(this, 'BuilderFunction', { value: this.builder.lambda.functionName });
    new CfnOutput(this, 'RunnerFunction', { value: this.runner.lambda.functionName });
    new CfnOutput(this, 'AccountKeyArn', { value: this.accountKey.arn });
    new CfnOutput(this, 'Limits', { value: JSON.stringify(stage.limits) });
    new CfnOutput(this, 'AllowPrivateNetwork', { value: stage.allowPrivateNetwork ? '1' : '0' });
  }

  private group(group: Group): ServiceFunction {
    const made = this.make(capitalised(group), group, sizing.functions.api);
    switch (group) {
      case 'components':
        this.table.grant(made, 'GetItem', 'PutItem', 'UpdateItem');
        this.buildsAndDescribes(made);
        this.objects.grant(made, { code: ['GetObject'] });
        return made;
      case 'sources':
        this.table.grant(
          made,
          'GetItem',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'Query',
          'BatchGetItem',
          'ConditionCheckItem',
        );
        this.buildsAndDescribes(made);
        this.objects.grant(made, { bodies: ['GetObject'], payloads: ['PutObject'] });
        this.sendsRuns(made);
        return made.env('INGRESS_URL', this.ingress.url);
      case 'workflows':
        this.table.grant(made, 'GetItem', 'Query');
        this.objects.grant(made, { bodies: ['GetObject'] });
        return made;
      case 'subscriptions':
        this.table.grant(
          made,
          'GetItem',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'Query',
          'ConditionCheckItem',
        );
        return made.env('LIMITS', JSON.stringify(this.stage.limits));
      case 'webhooks':
        this.table.grant(made, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'BatchGetItem');
        this.accountKey.grantSealWebhooks(made);
        return made.env('LIMITS', JSON.stringify(this.stage.limits));
      case 'users':
        this.table.grant(made, 'GetItem', 'Query');
        return made.env('LIMITS', JSON.stringify(this.stage.limits));
    }
  }

  private ingressFunction(): ServiceFunction {
    const made = this.make('IngressFunction', 'ingress', sizing.functions.ingress);
    this.table.grant(
      made,
      'GetItem',
      'PutItem',
      'UpdateItem',
      'Query',
      'BatchWriteItem',
      'ConditionCheckItem',
    );
    this.objects.grant(made, {
      bundles: ['GetObject'],
      bodies: ['PutObject', 'DeleteObject'],
      payloads: ['PutObject'],
    });
    this.sendsRuns(made);
    made.env('RUNS_QUEUE_ARN', this.runs.queue.queueArn);
    this.sendsDeliveries(made);
    this.runsCode(made);
    this.schedules.grant(made, 'CreateSchedule');
    return made.env('INGRESS_URL', this.ingress.url).env('LIMITS', JSON.stringify(this.stage.limits));
  }

  private runSource(): void {
    const made = this.queueFunction('RunSource', 'run-source');
    this.table.grant(made, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'BatchWriteItem');
    this.objects.grant(made, {
      bundles: ['GetObject'],
      bodies: ['GetObject', 'PutObject', 'DeleteObject'],
      payloads: ['GetObject', 'PutObject'],
    });
    this.runs.consumedBy(made, { maximumConcurrency: this.stage.concurrency.runs });
    made.allow(['sqs:ChangeMessageVisibility'], [this.runs.queue.queueArn]);
    made.env('RUNS_QUEUE_URL', this.runs.queue.queueUrl).env('RUNS_QUEUE_ARN', this.runs.queue.queueArn);
    this.sendsDeliveries(made);
    made.allow(['sqs:SendMessage'], [this.timers.queue.queueArn]);
    made
      .env('TIMERS_QUEUE_URL', this.timers.queue.queueUrl)
      .env('TIMERS_QUEUE_ARN', this.timers.queue.queueArn);
    this.runsCode(made);
    this.schedules.grant(made, 'CreateSchedule', 'UpdateSchedule', 'DeleteSchedule');
    made.env('INGRESS_URL', this.ingress.url).env('LIMITS', JSON.stringify(this.stage.limits));
  }

  private deliverEvent(): void {
    const made = this.queueFunction('DeliverEvent', 'deliver-event');
    this.table.grant(made, 'GetItem', 'PutItem', 'UpdateItem', 'Query', 'BatchGetItem');
    this.objects.grant(made, { payloads: ['GetObject', 'PutObject'] });
    this.deliveries.consumedBy(made, { maximumConcurrency: this.stage.concurrency.deliveries });
    this.sendsRuns(made);
    this.sendsDeliveries(made);
    this.sendsRetries(made);
    this.network(made);
    this.accountKey.grantOpenListeners(made);
    made.env('LIMITS', JSON.stringify(this.stage.limits));
  }

  private retryDelivery(): void {
    const made = this.queueFunction('RetryDelivery', 'retry-delivery');
    this.table.grant(made, 'GetItem', 'UpdateItem', 'DeleteItem', 'BatchGetItem');
    this.objects.grant(made, { payloads: ['GetObject'] });
    this.retries.consumedBy(made, { maximumConcurrency: this.stage.concurrency.retries });
    this.sendsRetries(made);
    made.env('RETRIES_QUEUE_ARN', this.retries.queue.queueArn);
    this.schedules.grant(made, 'CreateSchedule');
    this.network(made);
    this.accountKey.grantOpenListeners(made);
  }

  private timersFunction(): void {
    const made = this.queueFunction('TimersFunction', 'timers');
    this.timers.consumedBy(made, { maximumConcurrency: this.stage.concurrency.timers });
    made
      .allow(['sqs:SendMessage'], [this.timers.queue.queueArn])
      .env('TIMERS_QUEUE_URL', this.timers.queue.queueUrl);
    this.sendsRuns(made);
  }

  private make(
    id: string,
    name: FunctionName,
    { timeout, memoryMb }: { timeout: number; memoryMb: number },
    more: Partial<ServiceFunctionProps> = {},
  ): ServiceFunction {
    const made = new ServiceFunction(this, id, { asset: this.assetOf(name), timeout, memoryMb, ...more });
    return made.env('LOG_LEVEL', this.stage.logLevel);
  }

  /** Allows recursive loops, because sources may listen to each other. The service's own hop limit is higher than Lambda's. */
  private queueFunction(
    id: string,
    name: 'run-source' | 'deliver-event' | 'retry-delivery' | 'timers',
  ): ServiceFunction {
    return this.make(id, name, sizing.functions[name], { recursiveLoop: RecursiveLoop.ALLOW });
  }

  /** A function for untrusted code: no permissions, and no instance serves two tenants. */
  private untrusted(id: string, name: 'builder' | 'runner'): ServiceFunction {
    return this.make(id, name, sizing.functions[name], {
      withoutPermissions: true,
      temporaryMb: sizing.functions[name].temporaryMb,
      tenancyConfig: TenancyConfig.PER_TENANT,
    });
  }

  private network(to: ServiceFunction): void {
    to.env('ALLOW_PRIVATE_NETWORK', this.stage.allowPrivateNetwork ? '1' : '0');
    to.env('NETWORK_ALLOW_LIST', this.stage.networkAllowList.join(','));
  }

  private buildsAndDescribes(to: ServiceFunction): void {
    this.objects.grant(to, {
      code: ['PutObject'],
      builds: ['GetObject', 'PutObject'],
      bundles: ['GetObject', 'PutObject'],
    });
    to.allow(['lambda:InvokeFunction'], [this.builder.lambda.functionArn]);
    to.env('BUILDER_FUNCTION', this.builder.lambda.functionName);
    this.runsCode(to);
    to.env('LIMITS', JSON.stringify(this.stage.limits));
  }

  private runsCode(to: ServiceFunction): void {
    to.allow(['lambda:InvokeFunction'], [this.runner.lambda.functionArn]);
    to.env('RUNNER_FUNCTION', this.runner.lambda.functionName).env('RUNNER_ISOLATION', this.stage.isolation);
    this.accountKey.grantDecrypt(to);
  }

  private sendsRuns(to: ServiceFunction): void {
    to.allow(['sqs:SendMessage'], [this.runs.queue.queueArn]).env('RUNS_QUEUE_URL', this.runs.queue.queueUrl);
  }

  private sendsDeliveries(to: ServiceFunction): void {
    to.allow(['sqs:SendMessage'], [this.deliveries.queue.queueArn]);
    to.env('DELIVERIES_QUEUE_URL', this.deliveries.queue.queueUrl);
  }

  private sendsRetries(to: ServiceFunction): void {
    to.allow(['sqs:SendMessage'], [this.retries.queue.queueArn]);
    to.env('RETRIES_QUEUE_URL', this.retries.queue.queueUrl);
  }

  private alarms(): void {
    if (this.stage.alarmTopicArn === undefined) return;
    const action = new SnsAction(Topic.fromTopicArn(this, 'AlarmTopic', this.stage.alarmTopicArn));
    for (const { alarm } of [this.runs, this.deliveries, this.retries, this.timers])
      alarm.addAlarmAction(action);
  }
}

/** A synthesizer without the bootstrap version rule, which would add parameters and intrinsic functions to the template. */
function plainSynthesizer(): IStackSynthesizer {
  // The class declares optional members less strictly than the interface.
  return new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) as IStackSynthesizer;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
