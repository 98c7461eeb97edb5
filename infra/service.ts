import { Aspects, CfnOutput, RemovalPolicy, Tags } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
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
import { deploymentParts } from './tributary/deployment-name.ts';
import { governance } from './governance.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import type { AssetOf } from './function-factory.ts';
import { Functions } from './functions.ts';
import { createResources, type Resources } from './resources.ts';
import { addAlarms } from './service-alarms.ts';
import { allTags, type Stage } from './stage.ts';
import { stageVariables } from './stage-variables.ts';

export interface ServiceProps {
  /** Its `stackName` is the name of the deployment. */
  stage: Stage;
  assetOf: AssetOf;
  /** The deployed stack loses no data when this one adopts others. */
  isAdoptionChecked?: boolean;
}

/** The only description of the system: AWS deploys its template, the embedded cloud interprets it. */
export class Service extends Construct {
  readonly resources: Resources;
  readonly alarms: Alarms;
  readonly operator: OperatorRoles;
  readonly apiUrl: string;
  readonly liveUrl: string;

  constructor(scope: Construct, id: string, { stage, assetOf, isAdoptionChecked = false }: ServiceProps) {
    super(scope, id);
    const { stackName } = stage;
    if (stage.adopt) guardAdoption(this, isAdoptionChecked);
    const resources = createResources(this, stage);
    this.resources = resources;
    const { publicApi, ingress } = resources;
    const functions = new Functions(this, { stage, assetOf, resources });
    this.apiUrl = `${publicApi.address.url}/v1`;
    this.liveUrl = functions.liveUrl;
    const alarms = new Alarms(this, 'Alarms', stage);
    this.alarms = alarms;
    addAlarms(alarms, { stage, resources });
    const targetOf = this.shifting(stage, alarms);
    for (const group of groups) publicApi.route(gatewayRoutes[group], targetOf(functions.group(group)));
    publicApi.route(gatewayRoutes.live, targetOf(functions.poll));
    ingress.serve(targetOf(functions.ingress()));
    functions.runSource();
    functions.deliverEvent();
    functions.retryDelivery();
    functions.jobs();
    new LogMetrics(this, 'LogMetrics', { stackName, renewer: functions.oauth, functions: functions.all });

    const { builder, runner, oauth } = functions;
    const auditLog = new LogGroup(this, 'AuditLog', {
      retention: stage.retention.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.operator = new OperatorRoles(this, 'Operator', {
      stackName,
      resources,
      auditLog,
      invoked: [builder, runner, oauth].map(({ lambda }) => lambda),
    });

    addDashboard(this, { stage, resources, alarms });
    new LogQueries(this, 'LogQueries', { stackName, logGroups: functions.all.map(({ logGroup }) => logGroup) });
    if (stage.budget) new Bill(this, 'Bill', stage.budget);
    for (const [name, value] of Object.entries(allTags(stage))) Tags.of(this).add(name, value);
    Aspects.of(this).add(governance(stage));
    this.output(stage, { builder, runner, oauth, auditLog });
  }

  /** Gives the target of requests for a function: itself, or the alias by which requests reach a new version. */
  private shifting({ canaryMinutes }: Stage, { rollback }: Alarms): (fn: ServiceFunction) => RequestTarget {
    if (canaryMinutes === 0) return (fn) => fn;
    const canary = new Canary(this, 'Canary', { minutes: canaryMinutes, alarms: rollback });
    return (fn) => canary.of(fn);
  }

  /** The operator's commands read the outputs. */
  private output(
    stage: Stage,
    { builder, runner, oauth, auditLog }: Pick<Functions, 'builder' | 'runner' | 'oauth'> & { auditLog: LogGroup },
  ): void {
    const { table, objects, accountKey, runs, deliveries, retries, jobs, schedules, ingress, publicApi, egress } =
      this.resources;
    const { read, act, restore } = this.operator.roles;
    const values: Readonly<Record<string, string | undefined>> = {
      Version: VERSION,
      ApiUrl: this.apiUrl,
      IngressUrl: ingress.address.url,
      LiveUrl: this.liveUrl,
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
      ReadRoleArn: read.roleArn,
      ActRoleArn: act.roleArn,
      RestoreRoleArn: restore.roleArn,
      RollbackOptions: rollbackOptions(this.alarms),
      AccountKeyArn: accountKey.arn,
      SchedulesRoleArn: schedules.roleArn,
      ScheduleGroup: schedules.groupName,
      ...settingsOf(stage),
    };
    const { prefix } = deploymentParts(stage.stackName);
    for (const [id, value] of Object.entries(values))
      if (value !== undefined) new CfnOutput(this, id, { value }).overrideLogicalId(`${prefix}${id}`);
  }
}

/** Settings of the stage that commands of the operator need. */
function settingsOf(stage: Stage) {
  const { LIMITS, ALLOW_PRIVATE_NETWORK } = stageVariables(stage);
  return {
    Concurrency: JSON.stringify(stage.concurrency),
    Limits: LIMITS,
    Targets: stage.targets.join(',') || undefined,
    AllowPrivateNetwork: ALLOW_PRIVATE_NETWORK,
  };
}

/** Options of `cdk deploy`: CloudFormation takes the deployment back when an alarm rings during it or soon after. */
const rollbackOptions = ({ rollback }: Alarms): string =>
  [...rollback.map(({ alarmArn }) => `--rollback-trigger-alarm-arns ${alarmArn}`), '--monitoring-time-minutes 10'].join(
    ' ',
  );
