import {
  CfnEIP,
  CfnSecurityGroup,
  Connections,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  NatProvider,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import type { ServiceFunction } from './service-function.ts';

/** https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaVPCAccessExecutionRole.html */
const INTERFACE_ACTIONS = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** The network through which functions connect to the internet from addresses that do not change. */
export class Egress extends Construct {
  /** IPv4 addresses that receivers see. */
  readonly addresses: readonly string[];
  private readonly subnetIds: string[];
  private readonly securityGroupIds: string[];
  /** Rules of other resources may name the security group. */
  readonly connections: Connections;

  constructor(scope: Construct, id: string, network: NonNullable<Stage['network']>) {
    super(scope, id);
    const { vpc, subnetIds = [], addresses = [] } = network.vpc === 'new' ? this.create() : network;
    this.addresses = addresses;
    this.subnetIds = subnetIds;
    // Without rules for ingress, nothing connects to the functions.
    const group = new CfnSecurityGroup(this, 'SecurityGroup', {
      vpcId: vpc,
      groupDescription: 'Functions that connect to the internet',
      securityGroupEgress: [{ ipProtocol: '-1', cidrIp: '0.0.0.0/0', description: 'Webhooks and components' }],
    });
    this.securityGroupIds = [group.attrGroupId];
    const imported = SecurityGroup.fromSecurityGroupId(this, 'Group', group.attrGroupId);
    this.connections = new Connections({ securityGroups: [imported] });
  }

  /** One NAT gateway, because each one has an address of its own. */
  private create() {
    const { attrAllocationId, ref } = new CfnEIP(this, 'Address', { domain: 'vpc' });
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/20'),
      maxAzs: 2,
      natGateways: 1,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: [attrAllocationId] }),
      subnetConfiguration: [
        { name: 'Public', subnetType: SubnetType.PUBLIC, cidrMask: 28 },
        { name: 'Private', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      ],
      // Requests to the table and the bucket cost nothing this way.
      gatewayEndpoints: {
        Table: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        Bucket: { service: GatewayVpcEndpointAwsService.S3 },
      },
      // It would need a custom resource; nothing uses the default group.
      restrictDefaultSecurityGroup: false,
    });
    return { vpc: vpc.vpcId, subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId), addresses: [ref] };
  }

  /**
   * Lambda creates network interfaces with the role of the function. The function itself, which may run untrusted code,
   * must not: https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html
   */
  connect(to: ServiceFunction): void {
    const { defaultChild } = to.lambda.node;
    if (!(defaultChild instanceof CfnFunction)) throw new Error(`${to.node.id} has no resource of its own.`);
    const { subnetIds, securityGroupIds } = this;
    defaultChild.vpcConfig = { subnetIds, securityGroupIds };
    to.allow(INTERFACE_ACTIONS, ['*'], { Null: { 'lambda:SourceFunctionArn': 'true' } });
  }
}
