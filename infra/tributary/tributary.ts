import { Stack, Token } from 'aws-cdk-lib';
import type { Alarm, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Connections, IConnectable } from 'aws-cdk-lib/aws-ec2';
import type { Grant, IGrantable, IRole } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deploymentName } from './deployment-name.ts';
import type { AssetOf } from '../function-factory.ts';
import { readStage } from '../read-stage.ts';
import { Service } from '../service.ts';
import type { StageSettings } from './stage-settings.ts';
import { ownMetric } from '../watched-metrics.ts';

export type { StageSettings };

export interface TributaryProps {
  /** Settings of the deployment. A setting that is left out has its default. */
  readonly stage?: StageSettings;
  /**
   * Set it to true after you looked: the deployed stack has no table, bucket and key of its own, or keeps them. Without
   * it, CloudFormation refuses a template with `stage.adopt`.
   */
  readonly isAdoptionChecked?: boolean;
  /** Folder with a bundle for each function. Default: the bundles of the package. */
  readonly bundles?: string;
}

/** Metrics of a deployment that AWS does not count itself. */
export type TributaryMetric =
  | 'RunsFailed'
  | 'DeliveriesFailed'
  | 'DeliveryLag'
  | 'FunctionFailures'
  | 'Renewals'
  | 'FailedRenewals';

/** A role for the operator's commands. Each allows what `read` does. */
export type TributaryRole = 'read' | 'act' | 'restore';

/** A deployment of Tributary as a part of your stack. */
export class Tributary extends Construct implements IConnectable {
  /** Name for `--stack` of the operator's commands: `STACK_ID`. */
  readonly deploymentName: string;
  /** Address of the API, with `/v1`. */
  readonly apiUrl: string;
  /** Address of the endpoints of sources and workflows. */
  readonly ingressUrl: string;
  /** Address of live streams. */
  readonly liveUrl: string;
  readonly table: ITableV2;
  readonly bucket: IBucket;
  /** Encrypts connected accounts and signing secrets. */
  readonly key: IKey;
  readonly alarms: readonly Alarm[];
  readonly roles: Readonly<Record<TributaryRole, IRole>>;
  readonly #service: Service;

  constructor(scope: Construct, id: string, props: TributaryProps = {}) {
    super(scope, id);
    const { stage: settings = {}, isAdoptionChecked = false, bundles } = props;
    for (const name of ['stackName', 'terminationProtection'])
      if (name in settings) throw new Error(`stage.${name} belongs to the stack: set it there.`);
    this.deploymentName = nameOf(this);
    const stage = { ...readStage(settings), stackName: this.deploymentName };
    const assetOf: AssetOf = bundles === undefined ? packedBundle : (name) => join(bundles, name);
    this.#service = new Service(this, 'Default', { stage, assetOf, isAdoptionChecked });
    const { apiUrl, liveUrl, resources, alarms, operator } = this.#service;
    this.apiUrl = apiUrl;
    this.ingressUrl = resources.ingress.address.url;
    this.liveUrl = liveUrl;
    // The classes declare optional members less strictly than their interfaces.
    this.table = resources.table.table as ITableV2;
    this.bucket = resources.objects.bucket as IBucket;
    this.key = resources.accountKey.key;
    this.alarms = alarms.all;
    this.roles = operator.roles;
  }

  /** The topic that every alarm notifies: that of the stage, else one that the first use creates. */
  get notices(): ITopic {
    return this.#service.alarms.topic();
  }

  /** Connections of the functions for deliveries and components, which are in a network with `stage.network`. */
  get connections(): Connections {
    const { egress } = this.#service.resources;
    if (!egress)
      throw new Error('Tributary has no connections: set stage.network, so that its functions are in a VPC.');
    return egress.connections;
  }

  /** Values of one minute: the sum, and the maximum for `DeliveryLag`. */
  metric(name: TributaryMetric, options: MetricOptions = {}): Metric {
    return ownMetric(this.deploymentName, name, name === 'DeliveryLag' ? 'Maximum' : 'Sum').with(options);
  }

  /** Lets a principal of this account assume a role for the operator's commands. */
  grantOperate(grantee: IGrantable, role: TributaryRole): Grant {
    return this.roles[role].grantAssumeRole(grantee.grantPrincipal);
  }
}

/** The package has two builders: this one, with the compiler for AWS, and that of a service on one machine. */
const packedBundle: AssetOf = (name) =>
  fileURLToPath(new URL(name === 'builder' ? 'builder' : `assembly/functions/${name}`, import.meta.url));

/** Names of alarms' actions, tables and dashboards have room for it. */
const LONGEST_NAME = 100;

/** The name of the stack, and the ids below it. It distinguishes two deployments of an account and a region. */
function nameOf(construct: Construct): string {
  const stack = Stack.of(construct);
  if (Token.isUnresolved(stack.stackName))
    throw new Error('Tributary cannot be in a nested stack, whose name is not known before its deployment.');
  const scopes = construct.node.scopes.slice(stack.node.scopes.length);
  const ids = scopes.map(({ node }) => node.id).filter((id) => id !== 'Default');
  const wrong = ids.find((id) => !/^[A-Za-z0-9-]+$/.test(id));
  if (wrong !== undefined)
    throw new Error(`The id ${JSON.stringify(wrong)} of Tributary must have letters, digits and hyphens only.`);
  const name = deploymentName(stack.stackName, ids);
  if (name.length > LONGEST_NAME)
    throw new Error(`The name ${name} is longer than ${LONGEST_NAME} characters: choose a shorter id.`);
  return name;
}
