import type { ServiceFunction } from './constructs/service-function.ts';
import type { Resources } from './resources.ts';
import type { Stage } from './stage.ts';
import { stageVariables } from './stage-variables.ts';

interface GrantsProps {
  stage: Stage;
  resources: Resources;
  builder: ServiceFunction;
  runner: ServiceFunction;
  oauth: ServiceFunction;
}

export function sendJobs(to: ServiceFunction, { jobs: { queue } }: Resources): void {
  to.allow(['sqs:SendMessage'], [queue.queueArn]).env('TIMERS_QUEUE_URL', queue.queueUrl);
}

export function sendRuns(to: ServiceFunction, { runs: { queue } }: Resources): void {
  to.allow(['sqs:SendMessage'], [queue.queueArn]).env('RUNS_QUEUE_URL', queue.queueUrl);
}

/** Reads how many messages wait for all sources. */
export function countRuns(to: ServiceFunction, { runs: { queue } }: Resources): void {
  to.allow(['sqs:GetQueueAttributes'], [queue.queueArn]);
}

/** Sets the rule for outgoing connections. */
export function setNetwork(to: ServiceFunction, stage: Stage): void {
  const { ALLOW_PRIVATE_NETWORK, NETWORK_ALLOW_LIST } = stageVariables(stage);
  to.env('ALLOW_PRIVATE_NETWORK', ALLOW_PRIVATE_NETWORK).env('NETWORK_ALLOW_LIST', NETWORK_ALLOW_LIST);
}

/** Sends to buses and queues of users, and to none of the stack's own queues. */
export function sendToTargets(to: ServiceFunction, { targets }: Stage, { ownQueues }: Resources): void {
  to.env('TARGETS', targets.join(',')).env('OWN_QUEUES', ownQueues.join(','));
  for (const [service, action] of TARGET_ACTIONS) {
    const granted = targets.filter((pattern) => pattern.split(':')[2] === service);
    if (granted.length > 0) to.allow([action], granted);
  }
}

const TARGET_ACTIONS = [
  ['events', 'events:PutEvents'],
  ['sqs', 'sqs:SendMessage'],
  ['iam', 'sts:AssumeRole'],
] as const;

/** Permissions that several functions need, each with the variables that name its resource. */
export class Grants {
  private readonly stage: Stage;
  private readonly resources: Resources;
  private readonly builder: ServiceFunction;
  private readonly runner: ServiceFunction;
  private readonly oauth: ServiceFunction;

  constructor({ stage, resources, builder, runner, oauth }: GrantsProps) {
    this.stage = stage;
    this.resources = resources;
    this.builder = builder;
    this.runner = runner;
    this.oauth = oauth;
  }

  buildAndDescribe(to: ServiceFunction): void {
    this.resources.objects.grant(to, {
      code: ['PutObject'],
      builds: ['GetObject', 'PutObject'],
      bundles: ['GetObject', 'PutObject'],
    });
    to.allow(['lambda:InvokeFunction'], [this.builder.lambda.functionArn]);
    to.env('BUILDER_FUNCTION', this.builder.lambda.functionName);
    this.runCode(to);
    to.env('LIMITS', stageVariables(this.stage).LIMITS);
  }

  runCode(to: ServiceFunction): void {
    to.allow(['lambda:InvokeFunction'], [this.runner.lambda.functionArn]);
    to.env('RUNNER_FUNCTION', this.runner.lambda.functionName).env('RUNNER_ISOLATION', this.stage.isolation);
    this.resources.accountKey.grantDecrypt(to);
    this.askForTokens(to);
  }

  askForTokens(to: ServiceFunction): void {
    to.allow(['lambda:InvokeFunction'], [this.oauth.lambda.functionArn]);
    to.env('OAUTH_FUNCTION', this.oauth.lambda.functionName);
  }

  sendDeliveries(to: ServiceFunction): void {
    const { queue } = this.resources.deliveries;
    to.allow(['sqs:SendMessage'], [queue.queueArn]).env('DELIVERIES_QUEUE_URL', queue.queueUrl);
  }

  sendRetries(to: ServiceFunction): void {
    const { queue } = this.resources.retries;
    to.allow(['sqs:SendMessage'], [queue.queueArn]).env('RETRIES_QUEUE_URL', queue.queueUrl);
  }
}
