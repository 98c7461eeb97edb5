import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { LAMBDA_PLATFORM } from '../../infra/architecture.ts';
import { sizing } from '../../infra/sizing.ts';
import { Stage } from '../../infra/stage.ts';
import { templateWithoutMetrics } from '../../infra/stage-variables.ts';
import { SUMMED_AFTER_MS } from '../../shared/domain/metrics/adding-up.ts';
import { SCHEDULED_TIME } from '../../shared/aws/schedules.ts';
import { JobMessage, RetriesMessage } from '../../shared/domain/run/message.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { releases } from '../programs/recorded/release-recordings.ts';
import { statefulResources } from '../programs/recorded/stateful-resources.ts';
import { stackWithoutCode, templateWithoutCode } from '../support/stack.ts';
import { type Resource, resourcesOf } from '../support/template.ts';

const template = templateWithoutCode();
const all = Object.entries(template.Resources);

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
}

const policiesOf = (role: Resource) =>
  ((role.Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
const roleOf = (fn: Resource) =>
  template.Resources[(fn.Properties.Role as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0]] ?? expect.fail('no role');
const schedulesOf = (pattern: RegExp) =>
  resourcesOf(template, 'AWS::Scheduler::Schedule').filter(([id]) => pattern.test(id));
const functionsOf = (pattern: RegExp) =>
  resourcesOf(template, 'AWS::Lambda::Function').filter(([id]) => pattern.test(id));

describe('the stack', () => {
  test('synthesises to the same template twice', () => {
    expect(stackWithoutCode().template).toEqual(template);
  });

  test('has eighteen functions, all ours, and no custom resource', () => {
    expect(functionsOf(/./)).toHaveLength(18);
    expect(all.filter(([, { Type }]) => /^Custom::|CustomResource/.test(Type))).toEqual([]);
    expect(Object.keys(template)).not.toContain('Parameters');
  });

  test.each(releases)('keeps the stateful resources of release $version: an upgrade replaces none', ({ resources }) => {
    const present = Object.entries(statefulResources(template)).filter(([id]) => id in resources);
    expect(Object.fromEntries(present)).toEqual(resources);
  });

  test('says its version in an output', () => {
    expect(template.Outputs).toMatchObject({ Version: { Value: VERSION } });
  });

  test('uses only the intrinsic functions Ref, GetAtt, Join and Sub', () => {
    const used = new Set(JSON.stringify(template).match(/"(Ref|Fn::[A-Za-z]+)":/g));
    expect([...used].filter((name) => !/"(Ref|Fn::(GetAtt|Join|Sub))":/.test(name))).toEqual([]);
  });

  test('has a key that rotates; functions may use it only as they need, naming owner and account or listener', () => {
    const [[id, key] = expect.fail('no key'), ...others] = resourcesOf(template, 'AWS::KMS::Key');
    expect(others).toEqual([]);
    expect(key.Properties.EnableKeyRotation).toBe(true);
    const granted = functionsOf(/./).flatMap(([name, fn]) =>
      policiesOf(roleOf(fn))
        .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('kms:')))
        .map((statement) => [name.replace(/Function.*/, ''), statement]),
    );
    const allowed = (action: string, context: Record<string, unknown>) => ({
      Effect: 'Allow',
      Action: `kms:${action}`,
      Resource: { 'Fn::GetAtt': [id, 'Arn'] },
      Condition: { StringLike: { 'kms:EncryptionContext:owner': 'u_*', ...context } },
    });
    const both = (context: Record<string, unknown>) => ({
      ...allowed('Decrypt', context),
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
    });
    const openAccounts = allowed('Decrypt', { 'kms:EncryptionContext:account': 'apn_*' });
    const openListeners = allowed('Decrypt', { 'kms:EncryptionContext:listener': ['wh_*', 'p_*'] });
    const day = { 'kms:EncryptionContext:webhooks': '20*' };
    const [sealDay, openDay] = [allowed('GenerateDataKey', day), allowed('Decrypt', day)];
    const openWebhooks = allowed('Decrypt', { 'kms:EncryptionContext:listener': 'wh_*' });
    const sealAccounts = allowed('GenerateDataKey', { 'kms:EncryptionContext:account': 'apn_*' });
    const expected = [
      ['Accounts', openAccounts],
      ['Accounts', sealAccounts],
      ['Components', openAccounts],
      ['Ingress', openAccounts],
      ['RunSource', openAccounts],
      ['Sources', openAccounts],
      ['DeliverEvent', openDay],
      ['DeliverEvent', openListeners],
      ['RetryDelivery', openDay],
      ['RetryDelivery', openListeners],
      ['Webhooks', sealDay],
      ['Webhooks', openDay],
      ['Webhooks', openWebhooks],
      ['OAuth', openAccounts],
      ['OAuth', allowed('GenerateDataKey', { 'kms:EncryptionContext:account': 'apn_*' })],
      ['OAuth', both({ 'kms:EncryptionContext:renewal': 'apn_*' })],
      ['OAuth', both({ 'kms:EncryptionContext:attempt': 'ca_*' })],
      [
        'OAuth',
        allowed('Decrypt', {
          'kms:EncryptionContext:owner': 'operator',
          'kms:EncryptionContext:client': 'oc_*',
        }),
      ],
      ['OAuth', both({ 'kms:EncryptionContext:owner': 'operator', 'kms:EncryptionContext:session': 'sn_*' })],
    ];
    expect(granted).toEqual(expect.arrayContaining(expected));
    expect(granted).toHaveLength(expected.length);
  });

  test('runs every function on the processor that its bundle is made for', () => {
    for (const [id, { Properties }] of functionsOf(/./))
      expect(Properties['Architectures'], id).toEqual([LAMBDA_PLATFORM.replace('linux-', '')]);
  });

  test('has one table, on demand and recoverable to any point in time', () => {
    const [[, table] = expect.fail('no table')] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table.Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(JSON.stringify(table.Properties.Replicas)).toContain('"PointInTimeRecoveryEnabled":true');
  });

  test('keeps a deleted object for 30 days, as the table keeps its past, and an expired one for a day', () => {
    const [[, bucket] = expect.fail('no bucket')] = resourcesOf(template, 'AWS::S3::Bucket');
    expect(bucket.Properties['VersioningConfiguration']).toEqual({ Status: 'Enabled' });
    const { Rules } = bucket.Properties['LifecycleConfiguration'] as { Rules: object[] };
    const kept = (NoncurrentDays: number) => ({ NoncurrentVersionExpiration: { NoncurrentDays } });
    expect(Rules).toMatchObject([
      { ...kept(30), ExpiredObjectDeleteMarker: true },
      { ...kept(1), Prefix: 'builds/' },
      { ...kept(1), Prefix: 'payloads/' },
    ]);
    for (const Rule of Rules.slice(0, 1)) expect(Rule).not.toHaveProperty('Prefix');
  });

  test('gives each of the four queues, and schedules, a dead-letter queue of its own', () => {
    const queues = resourcesOf(template, 'AWS::SQS::Queue');
    const working = queues.filter(([, { Properties }]) => Properties.RedrivePolicy);
    const targets = working.map(([, { Properties }]) => JSON.stringify(Properties.RedrivePolicy));
    // Nothing reads the queue of the heartbeat.
    expect(queues.map(([id]) => id).filter((id) => !id.startsWith('HeartbeatQueue'))).toHaveLength(9);
    expect(new Set(targets).size).toBe(4);
    const [[, { Properties }] = expect.fail('no schedule')] = resourcesOf(template, 'AWS::Scheduler::Schedule');
    const { DeadLetterConfig } = Properties['Target'] as { DeadLetterConfig: unknown };
    const [own = ''] = queues.map(([id]) => id).filter((id) => id.startsWith('SchedulesDeadLetters'));
    expect(DeadLetterConfig).toEqual({ Arn: { 'Fn::GetAtt': [own, 'Arn'] } });
  });

  test('writes lines of JSON, without those of Lambda for each invocation', () => {
    for (const [id, { Properties }] of functionsOf(/./))
      expect(Properties['LoggingConfig'], id).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
  });

  const filtersFor = (pattern: RegExp) =>
    resourcesOf(template, 'AWS::Logs::MetricFilter')
      .map(([, { Properties }]) => Properties)
      .filter(({ FilterPattern }) => pattern.test(String(FilterPattern)));
  const logOf = ({ Properties }: Resource) => (Properties['LoggingConfig'] as { LogGroup: { Ref: string } }).LogGroup;

  test('counts failures in the logs of its own functions, and of no others', () => {
    const filters = filtersFor(/platform\.report/);
    expect(filters.map(({ LogGroupName }) => (LogGroupName as { Ref: string }).Ref).sort()).toEqual(
      functionsOf(/./)
        .map(([, made]) => logOf(made).Ref)
        .sort(),
    );
    for (const { MetricTransformations } of filters)
      expect(MetricTransformations).toEqual([
        { MetricName: 'FunctionFailures', MetricNamespace: 'Tributary/Tributary', MetricValue: '1' },
      ]);
  });

  test('counts renewals in the log of the function that renews', () => {
    const filters = filtersFor(/message/);
    expect(filters).toHaveLength(2);
    const [[, renewer] = expect.fail('no function')] = functionsOf(/^OAuth/);
    for (const { FilterPattern, LogGroupName, MetricTransformations } of filters) {
      expect(FilterPattern).toMatch(/^\{ \$\.message = "account\.\w+" \}$/);
      expect(LogGroupName).toEqual(logOf(renewer));
      expect(MetricTransformations).toEqual([
        {
          MetricName: expect.stringMatching(/Renewals$/) as string,
          MetricNamespace: 'Tributary/Tributary',
          MetricValue: '1',
        },
      ]);
    }
  });

  test('names the account in each permission of a service, as rules of organisations demand', () => {
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission')
      .map(([, { Properties }]) => Properties)
      .filter(({ Principal }) => Principal !== '*');
    // One for each function that an API invokes.
    expect(permissions).toHaveLength(10);
    for (const permission of permissions)
      expect(permission).toMatchObject({ SourceAccount: { Ref: 'AWS::AccountId' } });
    const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((name) => ({ Ref: `AWS::${name}` }));
    const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').map(([, { Properties }]) => {
      const routes = expect.stringMatching(/^(?:\/\*){2,3}$/) as string;
      const parts = ['arn:', partition, ':execute-api:', region, ':', account, ':', Properties['ApiId'], routes];
      return { FunctionName: Properties['IntegrationUri'], SourceArn: { 'Fn::Join': ['', parts] } };
    });
    // The API of a function that has routes of it, and no other.
    expect(permissions.map(({ FunctionName, SourceArn }) => ({ FunctionName, SourceArn }))).toEqual(integrations);
  });

  test('gives live streams a public function URL', () => {
    const [[, url] = expect.fail('no function URL'), ...otherUrls] = resourcesOf(template, 'AWS::Lambda::Url');
    expect(otherUrls).toEqual([]);
    const [[functionId] = expect.fail('no function')] = functionsOf(/^LiveFunction/);
    const arn = { 'Fn::GetAtt': [functionId, 'Arn'] };
    expect(url.Properties).toMatchObject({
      TargetFunctionArn: arn,
      AuthType: 'NONE',
      InvokeMode: 'RESPONSE_STREAM',
    });
    const everyone = { FunctionName: arn, Principal: '*' };
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission')
      .map(([, { Properties }]) => Properties)
      .filter(({ Principal }) => Principal === '*');
    expect(permissions).toHaveLength(2);
    expect(permissions).toEqual(
      expect.arrayContaining([
        { ...everyone, Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
        { ...everyone, Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true },
      ]),
    );
  });

  test.each(['off', 'public', 'signed'] as const)('answers live streams on the API by a function: %s', (live) => {
    const stack = templateWithoutCode({ live });
    const integrations = resourcesOf(stack, 'AWS::ApiGatewayV2::Integration');
    expect(new Set(integrations.map(([, { Properties }]) => Properties['IntegrationType']))).toEqual(
      new Set(['AWS_PROXY']),
    );
    const ofPoll = integrations.filter(([, each]) => JSON.stringify(each).includes('PollFunction'));
    expect(ofPoll).toHaveLength(1);
    const target = { 'Fn::Join': ['', ['integrations/', { Ref: ofPoll[0]?.[0] }]] };
    const routes = resourcesOf(stack, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties);
    const ofStreams = routes.filter(({ RouteKey }) => /\/sse(?:\/\{proxy\+\})?$/.test(String(RouteKey)));
    expect(ofStreams).toHaveLength(8);
    expect(routes.filter(({ Target }) => isDeepStrictEqual(Target, target))).toEqual(ofStreams);
  });

  test('lets nobody but its CloudFront distribution call a signed function URL', () => {
    const signed = templateWithoutCode({ live: 'signed' });
    const [[distribution, { Properties }] = expect.fail('no distribution'), ...others] = resourcesOf(
      signed,
      'AWS::CloudFront::Distribution',
    );
    expect(others).toEqual([]);
    const [[urlId, url] = expect.fail('no URL')] = resourcesOf(signed, 'AWS::Lambda::Url');
    expect(url.Properties).toEqual({
      AuthType: 'AWS_IAM',
      InvokeMode: 'RESPONSE_STREAM',
      TargetFunctionArn: { 'Fn::GetAtt': [expect.stringMatching(/^LiveFunction/), 'Arn'] },
    });
    const [[access, control] = expect.fail('no access')] = resourcesOf(signed, 'AWS::CloudFront::OriginAccessControl');
    expect(control.Properties['OriginAccessControlConfig']).toMatchObject({
      OriginAccessControlOriginType: 'lambda',
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
    expect(Properties['DistributionConfig']).toMatchObject({
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'https-only' },
      Origins: [
        {
          DomainName: { 'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': [urlId, 'FunctionUrl'] }] }] },
          OriginAccessControlId: { 'Fn::GetAtt': [access, 'Id'] },
        },
      ],
    });
    const permissions = resourcesOf(signed, 'AWS::Lambda::Permission').map(([, each]) => each.Properties);
    expect(permissions.filter(({ Principal }) => Principal === '*')).toEqual([]);
    const ofCloudFront = permissions.filter(({ Principal }) => Principal === 'cloudfront.amazonaws.com');
    expect(ofCloudFront.map(({ Action }) => Action).sort()).toEqual([
      'lambda:InvokeFunction',
      'lambda:InvokeFunctionUrl',
    ]);
    for (const { SourceArn, SourceAccount } of ofCloudFront) {
      expect(JSON.stringify(SourceArn)).toContain(`:distribution/",{"Ref":"${distribution}"}`);
      expect(SourceAccount).toEqual({ Ref: 'AWS::AccountId' });
    }
    const address = { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }]] };
    expect(signed.Outputs['LiveUrl']).toEqual({ Value: address });
    const variables = resourcesOf(signed, 'AWS::Lambda::Function').flatMap(
      ([
        ,
        {
          Properties: { Environment },
        },
      ]) => {
        const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, unknown> };
        return Variables['LIVE_URL'] ?? [];
      },
    );
    expect(variables).toEqual([address, address]);
  });

  test('has no function URL and no function of streams where live is off', () => {
    const { Resources, Outputs } = templateWithoutCode({ live: 'off' });
    expect(JSON.stringify(Resources)).not.toMatch(/Lambda::Url|LiveFunction|InvokeFunctionUrl/);
    expect(Outputs['LiveUrl']).toEqual({ Value: { 'Fn::GetAtt': [expect.any(String), 'ApiEndpoint'] } });
  });

  test('lets every queue take messages as large as a request', () => {
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::SQS::Queue'))
      expect(Properties['MaximumMessageSize'], id).toBe(id.startsWith('HeartbeatQueue') ? 1_024 : 1_048_576);
  });

  test('caps the concurrency of every event-source mapping and reports failures per message', () => {
    const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(4);
    for (const [, { Properties }] of mappings) {
      expect(Properties.ScalingConfig).toMatchObject({ MaximumConcurrency: 2 });
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
    expect(functionsOf(/./).filter(([, { Properties }]) => 'ReservedConcurrentExecutions' in Properties)).toEqual([]);
  });

  test('allows loops to every function of a queue, because Lambda would stop sources that listen to each other after 16 rounds', () => {
    const ofQueues = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => (Properties['FunctionName'] as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0],
    );
    expect(ofQueues).toHaveLength(4);
    for (const id of ofQueues) expect(template.Resources[id]?.Properties['RecursiveLoop'], id).toBe('Allow');
  });

  test('reserves concurrency for the ingress when the stage says so', () => {
    const concurrency = { ...Stage.parse({}).concurrency, account: 1_000, ingress: 200 };
    const reserved = resourcesOf(templateWithoutCode({ concurrency }), 'AWS::Lambda::Function').flatMap(
      ([id, { Properties }]) =>
        'ReservedConcurrentExecutions' in Properties
          ? [[id.replace(/Function.*/, ''), Properties['ReservedConcurrentExecutions']]]
          : [],
    );
    expect(reserved).toEqual([['Ingress', 200]]);
  });

  test.each([
    [{}, 768],
    [{ warmRunners: 16 }, 1_536],
    [{ limits: { ...Stage.parse({}).limits, runMemoryMb: 1_024 } }, 1_536],
  ])('gives the runner the memory of its processes: %j', (stage, memoryMb) => {
    const [[, runner] = expect.fail('no runner')] = resourcesOf(
      templateWithoutCode(stage),
      'AWS::Lambda::Function',
    ).filter(([id]) => id.startsWith('Runner'));
    expect(runner.Properties['MemorySize']).toBe(memoryMb);
  });

  test.each(Object.entries(sizing.queues))(
    'gives the queue %s its sizing',
    (_name, { visibility, maxReceiveCount }) => {
      const found = resourcesOf(template, 'AWS::SQS::Queue').filter(
        ([, { Properties }]) =>
          Properties.VisibilityTimeout === visibility &&
          (Properties.RedrivePolicy as { maxReceiveCount?: number } | undefined)?.maxReceiveCount === maxReceiveCount,
      );
      expect(found.length).toBeGreaterThanOrEqual(1);
    },
  );
});

describe('encryption', () => {
  const refusesPlainHttp = {
    Effect: 'Deny',
    Principal: { AWS: '*' },
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  };
  const statementsFor = (type: string, member: string) =>
    new Map(
      resourcesOf(template, type).map(([, { Properties }]) => [
        JSON.stringify([Properties[member]].flat()),
        (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement,
      ]),
    );

  test('is demanded of every connection to a queue or to the bucket', () => {
    const ofQueues = statementsFor('AWS::SQS::QueuePolicy', 'Queues');
    for (const [id] of resourcesOf(template, 'AWS::SQS::Queue'))
      expect(ofQueues.get(JSON.stringify([{ Ref: id }])), id).toMatchObject([
        { ...refusesPlainHttp, Action: 'sqs:*', Resource: { 'Fn::GetAtt': [id, 'Arn'] } },
      ]);
    const ofBuckets = statementsFor('AWS::S3::BucketPolicy', 'Bucket');
    const [[id] = expect.fail('no bucket')] = resourcesOf(template, 'AWS::S3::Bucket');
    const arn = { 'Fn::GetAtt': [id, 'Arn'] };
    expect(ofBuckets.get(JSON.stringify([{ Ref: id }]))).toMatchObject([
      { ...refusesPlainHttp, Action: 's3:*', Resource: [arn, { 'Fn::Join': ['', [arn, '/*']] }] },
    ]);
  });

  test('is that of the service for queues and bucket', () => {
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::SQS::Queue'))
      expect(Properties['SqsManagedSseEnabled'], id).toBe(true);
    for (const [, { Properties }] of resourcesOf(template, 'AWS::S3::Bucket')) {
      expect(Properties['BucketEncryption']).toEqual({
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      });
      expect(Object.values(Object(Properties['PublicAccessBlockConfiguration']))).toEqual([true, true, true, true]);
    }
  });
});

describe('the access log', () => {
  test('has one line per request to the API, without paths, queries and headers; endpoints have the lines of their function', () => {
    const stages = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');
    expect(stages).toHaveLength(2);
    const logged = stages.filter(([, { Properties }]) => 'AccessLogSettings' in Properties);
    expect(logged.map(([id]) => id)).toEqual([expect.stringMatching(/^PublicApiStage/)]);
    for (const [, { Properties }] of logged) {
      const { DestinationArn, Format } = Properties['AccessLogSettings'] as {
        DestinationArn: { 'Fn::GetAtt': [string] };
        Format: string;
      };
      const group = template.Resources[DestinationArn['Fn::GetAtt'][0]];
      expect(group?.Type).toBe('AWS::Logs::LogGroup');
      expect(group?.Properties['LogGroupName']).toMatch(/^\/aws\/vendedlogs\/Tributary\/(?:PublicApi|Ingress)$/);
      const variables = Object.values(JSON.parse(Format) as Record<string, string>).sort();
      expect(variables).toEqual(
        [
          'requestId',
          'requestTimeEpoch',
          'identity.sourceIp',
          'httpMethod',
          'routeKey',
          'status',
          'responseLatency',
          'integrationLatency',
          'responseLength',
          'error.responseType',
        ]
          .map((name) => `$context.${name}`)
          .sort(),
      );
    }
  });
});

describe('permissions', () => {
  test('name their resources: no action and no resource is a bare star', () => {
    for (const [id, role] of resourcesOf(template, 'AWS::IAM::Role')) {
      for (const { Action, Resource: on } of policiesOf(role)) {
        for (const action of [Action].flat()) expect(action, id).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
        expect([on].flat(), id).not.toContain('*');
      }
      expect(role.Properties.ManagedPolicyArns, id).toBeUndefined();
    }
  });

  test('let the functions that touch code of users write their own log and nothing else; every tenant has instances of its own', () => {
    const userCode = functionsOf(/^(Builder|Runner)Function/);
    expect(userCode).toHaveLength(2);
    for (const [, fn] of userCode) {
      const { LogGroup } = fn.Properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      expect(policiesOf(roleOf(fn))).toEqual([
        {
          Effect: 'Allow',
          Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          Resource: { 'Fn::GetAtt': [LogGroup.Ref, 'Arn'] },
        },
      ]);
      expect(fn.Properties.TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    }
  });

  test('let only schedules of the own group use their role, and only the scheduler get it', () => {
    const [[groupId] = expect.fail('no group')] = resourcesOf(template, 'AWS::Scheduler::ScheduleGroup');
    const [[roleId, role] = expect.fail('no role'), ...others] = resourcesOf(template, 'AWS::IAM::Role').filter(
      ([id]) => id.startsWith('SchedulesRole'),
    );
    expect(others).toEqual([]);
    expect(role.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'scheduler.amazonaws.com' },
          Condition: {
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [groupId, 'Arn'] } },
          },
        },
      ],
    });
    const passing = resourcesOf(template, 'AWS::IAM::Role').flatMap(([, { Properties, ...more }]) =>
      policiesOf({ Properties, ...more }).filter(({ Action }) => [Action].flat().includes('iam:PassRole')),
    );
    expect(passing).toHaveLength(6);
    for (const statement of passing) {
      expect(statement).toEqual({
        Effect: 'Allow',
        Action: 'iam:PassRole',
        Resource: { 'Fn::GetAtt': [roleId, 'Arn'] },
        Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      });
    }
  });

  test('have one of the stack, which has metrics added up when the last hour ended half an hour ago', () => {
    const [[, schedule] = expect.fail('no schedule'), ...others] = schedulesOf(/^SchedulesMetrics/);
    expect(others).toEqual([]);
    const { ScheduleExpression, Target } = schedule.Properties as {
      ScheduleExpression: string;
      Target: { Input: string; Arn: { 'Fn::GetAtt': [string] } };
    };
    expect(JobMessage.parse(JSON.parse(Target.Input))).toEqual({ kind: 'metrics' });
    expect(Target.Arn['Fn::GetAtt'][0]).toMatch(/^TimersQueue/);
    const [, minute] = /^cron\((\d+) \* \* \* \? \*\)$/.exec(ScheduleExpression) ?? [];
    expect(Number(minute) * 60_000).toBeGreaterThan(SUMMED_AFTER_MS);
    // An earlier version of the function does not know the message.
    expect(functionsOf(/^TimersFunction/).map(([id]) => id)).toEqual([
      expect.toSatisfy((id: string) => [schedule.DependsOn].flat().includes(id)),
    ]);
  });

  test('have a heartbeat, which goes each minute through the queues retries and jobs', () => {
    const [[, schedule] = expect.fail('no schedule')] = schedulesOf(/^SchedulesHeartbeat/);
    expect(schedulesOf(/./)).toHaveLength(2);
    const { ScheduleExpression, Target } = schedule.Properties as {
      ScheduleExpression: string;
      Target: { Input: string; Arn: { 'Fn::GetAtt': [string] } };
    };
    expect(RetriesMessage.parse(JSON.parse(Target.Input)).kind).toBe('heartbeat');
    expect(Target.Input).toContain(SCHEDULED_TIME);
    expect(Target.Arn['Fn::GetAtt'][0]).toMatch(/^RetriesQueue/);
    expect(ScheduleExpression).toBe('rate(1 minute)');
    expect(schedule.DependsOn).toEqual(expect.arrayContaining(functionsOf(/^RetryDelivery/).map(([id]) => id)));
  });

  test('are one on one machine, whose gateway answers health checks itself', () => {
    const left = resourcesOf(
      templateWithoutMetrics(template) as unknown as typeof template,
      'AWS::Scheduler::Schedule',
    );
    expect(left.map(([id]) => id)).toEqual(schedulesOf(/^SchedulesMetrics/).map(([id]) => id));
  });

  test('tell every function that invokes the runner who shares its environments', () => {
    const isolationOf = (made: typeof template) =>
      resourcesOf(made, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
        const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
        return 'RUNNER_FUNCTION' in Variables ? [Variables['RUNNER_ISOLATION']] : [];
      });
    expect(isolationOf(template)).not.toEqual([]);
    expect(new Set(isolationOf(template))).toEqual(new Set(['source']));
    expect(new Set(isolationOf(templateWithoutCode({ isolation: 'user' })))).toEqual(new Set(['user']));
  });

  test('come with their names: a function with access to the table has its name in the environment', () => {
    for (const [id, fn] of functionsOf(/./)) {
      const mayTouch = policiesOf(roleOf(fn)).some(({ Action }) =>
        [Action].flat().some((a) => a.startsWith('dynamodb:')),
      );
      const { Variables = {} } = (fn.Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
      expect('TABLE_NAME' in Variables, id).toBe(mayTouch);
    }
  });
});
