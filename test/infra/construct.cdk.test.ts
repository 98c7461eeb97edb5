import { type App, NestedStack, Stack, Stage as CdkStage } from 'aws-cdk-lib';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { CfnEIP, CfnSubnet, CfnVPC, Port } from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Tributary, type TributaryProps } from '../../infra/tributary/tributary.ts';
import { statefulResources } from '../programs/recorded/stateful-resources.ts';
import { appIn, bundlesWithoutCode, templateWithoutCode } from '../support/stack.ts';
import { resourcesOf, type Template } from '../support/template.ts';

const bundles = bundlesWithoutCode();
afterAll(() => {
  rmSync(bundles, { recursive: true, force: true });
});

const Versions = z.record(z.string(), z.string());
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  peerDependencies: Versions,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })),
});

let apps = 0;
const newApp = () => appIn(join(bundles, `cdk.out.${(apps += 1)}`));
const add = (scope: Construct, id: string, props: TributaryProps = {}) =>
  new Tributary(scope, id, { bundles, ...props });

function templateOf(stack: Stack): Template {
  const root = stack.node.root as App;
  const { directory } = root.synth().getStackArtifact(stack.artifactId).assembly;
  return JSON.parse(readFileSync(join(directory, stack.templateFile), 'utf8')) as Template;
}

/** Properties whose names call something else: a metric, the only stage of an API, the group of a schedule. */
const CALLING = ['MetricName', 'StageName', 'GroupName'];

/** Names that a template fixes, each with its type: two resources of an account and a region must not share one. */
const namesIn = (template: Template) =>
  Object.values(template.Resources).flatMap(({ Type, Properties }) =>
    Object.entries({ ...Properties, ...Object(Properties['OriginAccessControlConfig']) }).flatMap(([name, value]) =>
      /^(?:Name|\w+Name)$/.test(name) &&
      !CALLING.includes(name) &&
      !/"Fn::GetAtt"|"Ref":"(?!AWS)/.test(JSON.stringify(value))
        ? [`${Type} ${JSON.stringify(value)}`]
        : [],
    ),
  );

const namespacesIn = (template: Template) =>
  new Set(JSON.stringify(template).match(/(?<="(?:MetricNamespace|METRIC_NAMESPACE)":")[^"]+/g));

const everything = {
  alarmEmail: 'me@mine.test',
  live: 'signed',
  accessLogs: { ingress: true },
} as const;

describe('two constructs', () => {
  const app = newApp();
  const [one, other] = [new Stack(app, 'Backend'), new Stack(app, 'Backend-Two')];
  add(one, 'Events', { stage: everything });
  add(one, 'Audit', { stage: everything });
  add(new Construct(other, 'Group'), 'Events', { stage: everything });
  const [both, alone] = [templateOf(one), templateOf(other)];

  test('of one stack, and those of two stacks, fix no name twice', () => {
    const names = [both, alone].flatMap(namesIn);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
  });

  test('of one stack have the resources of two stacks, and outputs that begin with their ids', () => {
    const types = (template: Template) => Object.values(template.Resources).map(({ Type }) => Type);
    expect(types(both).sort()).toEqual([...types(alone), ...types(alone)].sort());
    const outputs = Object.keys(templateWithoutCode(everything).Outputs);
    const prefixed = ['Events', 'Audit'].flatMap((id) => outputs.map((name) => `${id}${name}`));
    expect(Object.keys(both.Outputs).filter((name) => !name.startsWith('Export'))).toEqual(prefixed);
    expect(Object.keys(alone.Outputs)).toEqual(outputs.map((name) => `GroupEvents${name}`));
    expect(JSON.stringify(both.Outputs)).not.toContain('"Export"');
  });

  test('count their metrics in namespaces of their own', () => {
    expect(namespacesIn(both)).toEqual(new Set(['Tributary/Backend_Events', 'Tributary/Backend_Audit']));
    expect(namespacesIn(alone)).toEqual(new Set(['Tributary/Backend-Two_Group_Events']));
  });

  test('tag their own resources only', () => {
    const tagged = JSON.stringify(resourcesOf(both, 'AWS::DynamoDB::GlobalTable'));
    expect(tagged.match(/"Value":"[^"]+"/g)).toEqual(['"Value":"Backend_Events"', '"Value":"Backend_Audit"']);
  });
});

test('a stack that is named twice, for two environments, fixes no name twice', () => {
  const names = ['Events-dev', 'Events-prod'].flatMap((stackName) => {
    const stack = new Stack(newApp(), 'Events', { stackName });
    add(stack, 'Tributary', { stage: everything });
    return namesIn(templateOf(stack));
  });
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
});

test('a stack inside a stage of the CDK is named with it', () => {
  const stack = new Stack(new CdkStage(newApp(), 'Prod'), 'Backend');
  expect(add(stack, 'Events').deploymentName).toBe('Prod-Backend_Events');
});

test('docs/construct.md says how many resources a deployment has', () => {
  const tens = [{}, { canaryMinutes: 5 } as const].map(
    (stage) => 10 * Math.round(Object.keys(templateWithoutCode(stage).Resources).length / 10),
  );
  const page = readFileSync('docs/construct.md', 'utf8').replace(/\s+/g, ' ');
  expect(page).toContain(`a deployment has about ${tens[0]}, and about ${tens[1]} with \`canaryMinutes\``);
});

test('package.json asks apps for the CDK that these tests use, and installs none without it', () => {
  const { devDependencies, peerDependencies, peerDependenciesMeta, dependencies } = Manifest.parse(
    JSON.parse(readFileSync('package.json', 'utf8')),
  );
  expect(peerDependencies['aws-cdk-lib']).toBe(`^${devDependencies['aws-cdk-lib']}`);
  expect(Object.keys(peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
  for (const name of Object.keys(peerDependencies)) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(dependencies).not.toHaveProperty(name);
  }
});

test('the id Default takes over a stack that npx cdk deploy made: logical ids, outputs and names are the same', () => {
  const stack = new Stack(newApp(), 'Tributary');
  expect(add(stack, 'Default').deploymentName).toBe('Tributary');
  const [own, template] = [templateWithoutCode(), templateOf(stack)];
  expect(statefulResources(template)).toEqual(statefulResources(own));
  expect(template.Resources).toEqual(own.Resources);
  expect(template.Outputs).toEqual(own.Outputs);
});

describe('a member of the construct', () => {
  const stack = new Stack(newApp(), 'Backend');
  const tributary = add(stack, 'Events', { stage: { live: 'off' } });
  tributary.notices.addSubscription(new EmailSubscription('me@mine.test'));
  const role = new Role(stack, 'Ci', { assumedBy: new ServicePrincipal('codebuild.amazonaws.com') });
  tributary.grantOperate(role, 'act').assertSuccess();
  const template = templateOf(stack);

  test('is the addresses and the stored data', () => {
    const { apiUrl, ingressUrl, liveUrl, table, bucket, key } = tributary;
    const texts = [apiUrl, ingressUrl, liveUrl, table.tableName, bucket.bucketName, key.keyArn];
    expect(texts.map((text) => ({ Value: stack.resolve(text) as unknown }))).toEqual(
      ['ApiUrl', 'IngressUrl', 'LiveUrl', 'TableName', 'BucketName', 'AccountKeyArn'].map(
        (name) => template.Outputs[`Events${name}`],
      ),
    );
  });

  test('is a topic that every alarm notifies, and that the first use creates', () => {
    expect(tributary.notices).toBe(tributary.notices);
    expect(resourcesOf(templateWithoutCode(), 'AWS::SNS::Topic')).toEqual([]);
    const [[id] = expect.fail('no topic'), ...others] = resourcesOf(template, 'AWS::SNS::Topic');
    expect(others).toEqual([]);
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
    expect(alarms).toHaveLength(tributary.alarms.length);
    for (const [, { Properties }] of alarms) expect(Properties['AlarmActions']).toEqual([{ Ref: id }]);
  });

  test('is metrics of its own namespace', () => {
    expect(tributary.metric('RunsFailed', { label: 'runs' })).toMatchObject({
      namespace: 'Tributary/Backend_Events',
      metricName: 'RunsFailed',
      statistic: 'Sum',
      label: 'runs',
    });
    expect(tributary.metric('DeliveryLag').statistic).toBe('Maximum');
  });

  test('is the right to assume a role of the operator', () => {
    const [[, policy] = expect.fail('no policy')] = resourcesOf(template, 'AWS::IAM::Policy');
    expect(policy.Properties['PolicyDocument']).toMatchObject({
      Statement: [
        {
          Action: 'sts:AssumeRole',
          Effect: 'Allow',
          Resource: { 'Fn::GetAtt': [expect.stringMatching(/^EventsOperatorAct/) as string, 'Arn'] },
        },
      ],
    });
  });

  test('is the topic of the stage, if it has one', () => {
    const stack = new Stack(newApp(), 'Backend');
    const alarmTopicArn = 'arn:aws:sns:us-east-1:111122223333:mine';
    expect(add(stack, 'Events', { stage: { alarmTopicArn } }).notices.topicArn).toBe(alarmTopicArn);
    expect(resourcesOf(templateOf(stack), 'AWS::SNS::Topic')).toEqual([]);
  });

  test('is the connections of its functions in a network', () => {
    const stack = new Stack(newApp(), 'Backend');
    const network = { vpc: 'vpc-0123456789abcdef0', subnetIds: ['subnet-01234567'], addresses: ['192.0.2.7'] };
    const [one, other] = [add(stack, 'One', { stage: { network } }), add(stack, 'Other', { stage: { network } })];
    other.connections.allowFrom(one, Port.tcp(5432));
    const rules = resourcesOf(templateOf(stack), 'AWS::EC2::SecurityGroupIngress');
    expect(rules.map(([, { Properties }]) => Properties)).toMatchObject([
      {
        FromPort: 5432,
        GroupId: { 'Fn::GetAtt': [expect.stringMatching(/^OtherEgressSecurityGroup/) as string, 'GroupId'] },
        SourceSecurityGroupId: {
          'Fn::GetAtt': [expect.stringMatching(/^OneEgressSecurityGroup/) as string, 'GroupId'],
        },
      },
    ]);
    expect(() => add(stack, 'Third').connections).toThrow('set stage.network, so that its functions are in a VPC');
  });
});

test('settings take names and ARNs of other resources of the app', () => {
  const stack = new Stack(newApp(), 'Backend');
  const vpc = new CfnVPC(stack, 'Vpc', { cidrBlock: '10.0.0.0/24' });
  const [subnet, address] = [new CfnSubnet(stack, 'Subnet', { vpcId: vpc.ref }), new CfnEIP(stack, 'Address')];
  const [topic, key, logs] = [new Topic(stack, 'Topic'), new Key(stack, 'Key'), new Bucket(stack, 'Logs')];
  add(stack, 'Events', {
    stage: {
      alarmTopicArn: topic.topicArn,
      kmsKeyArn: key.keyArn,
      accessLogs: { bucket: logs.bucketName },
      network: { vpc: vpc.ref, subnetIds: [subnet.ref], addresses: [address.ref] },
    },
  });
  const template = templateOf(stack);
  const arn = stack.resolve(key.keyArn) as unknown;
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::Logs::LogGroup'))
    expect(Properties['KmsKeyId'], id).toEqual(arn);
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::CloudWatch::Alarm'))
    expect(Properties['AlarmActions'], id).toEqual([stack.resolve(topic.topicArn)]);
  const [, bucket] = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Events')) ?? [];
  expect(bucket?.Properties['LoggingConfiguration']).toMatchObject({
    DestinationBucketName: stack.resolve(logs.bucketName) as unknown,
  });
  const [, other] = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Logs')) ?? [];
  expect(other?.Properties, 'a bucket of the app stays as it is').toBeUndefined();
  expect(JSON.stringify(resourcesOf(template, 'AWS::Lambda::Function'))).toContain('"SubnetIds":[{"Ref":"Subnet"}]');
  expect(template.Outputs['EventsDeliveryAddresses']).toEqual({ Value: { Ref: 'Address' } });
});

describe('a sentence refuses', () => {
  const inStack = () => new Stack(newApp(), 'Backend');

  test.each([
    [{ logLevel: 'loud' }, 'stage.logLevel must be debug, info, warn or error.'],
    [{ limits: { sauces: 1 } }, 'stage.limits.sauces: no such setting. There are sources,'],
    [{ throttle: { rate: 2_000 } }, 'stage.throttle.rate must be at most 45:'],
    [{ stackName: 'Mine' }, 'stage.stackName belongs to the stack: set it there.'],
    [{ terminationProtection: true }, 'stage.terminationProtection belongs to the stack: set it there.'],
  ])('the settings %j', (stage, message) => {
    expect(() => add(inStack(), 'Events', { stage: stage as NonNullable<TributaryProps['stage']> })).toThrow(message);
  });

  test('an id with other characters, a long name, and a nested stack', () => {
    expect(() => add(inStack(), 'my_events')).toThrow('The id "my_events" of Tributary must have letters,');
    expect(() => add(inStack(), 'E'.repeat(100))).toThrow('is longer than 100 characters: choose a shorter id.');
    const nested = new NestedStack(inStack(), 'Nested');
    expect(() => add(nested, 'Events')).toThrow('Tributary cannot be in a nested stack');
  });

  test('adopted data, until the app says that it looked', () => {
    const adopt = { table: 'mine', bucket: 'my-bucket', keyArn: 'arn:aws:kms:us-east-1:111122223333:key/1' };
    const defaultsOf = (props: object) => {
      const stack = inStack();
      add(stack, 'Events', { stage: { adopt }, ...props });
      const { Parameters } = templateOf(stack) as Template & { Parameters: Record<string, { Default: string }> };
      return Object.entries(Parameters).flatMap(([id, { Default }]) => (/OwnDataIsKept/.test(id) ? [Default] : []));
    };
    expect(defaultsOf({})).toEqual(['no']);
    expect(defaultsOf({ isAdoptionChecked: true })).toEqual(['yes']);
  });
});
