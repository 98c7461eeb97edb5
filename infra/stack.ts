import {
  Aspects,
  CfnOutput,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  RemovalPolicy,
  Stack,
  type StackProps,
  Tags,
} from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { gatewayRoutes, groups } from '../shared/http/gateway-routes.ts';
import { VERSION } from '../shared/domain/version.ts';
import { guardAdoption } from './constructs/adoption-guard.ts';
import { Alarms } from './constructs/alarms.ts';
import { Bill } from './constructs/bill.ts';
import { Canary } from './constructs/canary.ts';
import type { RequestTarget } from './constructs/http-apis.ts';
import { LogQueries } from './constructs/log-queries.ts';
import { OperatorRoles } from './constructs/operator-roles.ts';
import { LogMetrics } from './constructs/log-metrics.ts';
import { addDashboard } from './dashboard.ts';
import { governance } from './governance.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import type { AssetOf } from './function-factory.ts';
import { Functions } from './functions.ts';
import { createResources } from './resources.ts';
import { addAlarms } from './service-alarms.ts';
import { allTags, type Stage } from './stage.ts';
import { stageVariables } from './stage-variables.ts';

export interface TributaryStackProps extends StackProps {
  stage: Stage;
  assetOf: AssetOf;
  /** The deployed stack loses no data when this one adopts others. */
  isAdoptionChecked?: boolean;
}

/** The only description of the system: AWS deploys its template, the embedded cloud interprets it. */
export class TributaryStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, assetOf, isAdoptionChecked = false, ...props }: TributaryStackProps,
  ) {
    super(scope, id, {
      description: 'Tributary: event sources and subscriptions',
      synthesizer: plainSynthesizer(),
      terminationProtection: stage.terminationProtection,
      ...props,
    });
    if (stage.adopt) guardAdoption(this, isAdoptionChecked);
    const resources = createResources(this, stage);
    const { table, objects, accountKey, runs, deliveries, retries, jobs, schedules, ingress, publicApi, egress } =
      resources;
    const functions = new Functions(this, { stage, assetOf, resources });
    const alarms = new Alarms(this, 'Alarms', stage);
    addAlarms(alarms, { stage, resources });
    const targetOf = this.shifting(stage, alarms);
    for (const group of groups) publicApi.route(gatewayRoutes[group], targetOf(functions.group(group)));
    publicApi.route(gatewayRoutes.live, targetOf(functions.poll));
    ingress.serve(targetOf(functions.ingress()));
    functions.runSource();
    functions.deliverEvent();
    functions.retryDelivery();
    functions.jobs();
    new LogMetrics(this, 'LogMetrics', { renewer: functions.oauth, functions: functions.all });

    const { builder, runner, oauth } = functions;
    const auditLog = new LogGroup(this, 'AuditLog', {
      retention: stage.retention.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { arns: roles } = new OperatorRoles(this, 'Operator', {
      resources,
      auditLog,
      invoked: [builder, runner, oauth].map(({ lambda }) => lambda),
    });

    addDashboard(this, { stage, resources, alarms });
    new LogQueries(this, 'LogQueries', {
      stackName: stage.stackName,
      logGroups: functions.all.map(({ logGroup }) => logGroup),
    });
    if (stage.budget) new Bill(this, 'Bill', stage.budget);
    for (const [name, value] of Object.entries(allTags(stage))) Tags.of(this).add(name, value);
    Aspects.of(this).add(governance(stage));

    this.output({
      Version: VERSION,
      ApiUrl: `${publicApi.address.url}/v1`,
      IngressUrl: ingress.address.url,
      LiveUrl: functions.liveUrl,
      ApiRecordTarget: publicApi.address.recordTarget,
      IngressRecordTarget: ingress.address.recordTarget,
      EndpointsRecordTarget: ingress.address.wildcardTarget,
      DeliveryAddresses: egress?.addresses.join(','),
      TableName: table.name,
      BucketName: objects.bucket.bucketName,
      RunsQueueUrl: runs.queue.queueUrl,
      Queues: JSON.stringify({
        runs: runs.addresses,
        deliveries: deliveries.addresses,
        retries: retries.addresses,
        timers: jobs.addresses,
      }),
      SchedulesDeadLettersUrl: schedules.deadLetters.queueUrl,
      BuilderFunction: builder.lambda.functionName,
      RunnerFunction: runner.lambda.functionName,
      RenewerFunction: oauth.lambda.functionName,
      AuditLogGroup: auditLog.logGroupName,
      ReadRoleArn: roles.read,
      ActRoleArn: roles.act,
      RestoreRoleArn: roles.restore,
      RollbackOptions: rollbackOptions(alarms),
      AccountKeyArn: accountKey.arn,
      SchedulesRoleArn: schedules.roleArn,
      ScheduleGroup: schedules.groupName,
      Concurrency: JSON.stringify(stage.concurrency),
      Limits: stageVariables(stage).LIMITS,
      AllowPrivateNetwork: stageVariables(stage).ALLOW_PRIVATE_NETWORK,
    });
  }

  /** Gives the target of requests for a function: itself, or the alias by which requests reach a new version. */
  private shifting({ canaryMinutes }: Stage, { rollback }: Alarms): (fn: ServiceFunction) => RequestTarget {
    if (canaryMinutes === 0) return (fn) => fn;
    const canary = new Canary(this, 'Canary', { minutes: canaryMinutes, alarms: rollback });
    return (fn) => canary.of(fn);
  }

  private output(values: Readonly<Record<string, string | undefined>>): void {
    for (const [id, value] of Object.entries(values)) if (value !== undefined) new CfnOutput(this, id, { value });
  }
}

/** Options of `cdk deploy`: CloudFormation takes the deployment back when an alarm rings during it or soon after. */
const rollbackOptions = ({ rollback }: Alarms): string =>
  [...rollback.map(({ alarmArn }) => `--rollback-trigger-alarm-arns ${alarmArn}`), '--monitoring-time-minutes 10'].join(
    ' ',
  );

/**
 * A synthesizer without the bootstrap version rule, which would add parameters and intrinsic functions to the template.
 */
function plainSynthesizer(): IStackSynthesizer {
  // The class declares optional members less strictly than the interface.
  return new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) as IStackSynthesizer;
}
