import { describe, expect, test } from 'vitest';
import { readStage } from '../../infra/read-stage.ts';
import { stackWithoutCode, templateWithoutCode } from '../support/stack.ts';
import { resourcesOf, type Template } from '../support/template.ts';

const [dev, prod] = [readStage('dev'), readStage('prod')].map((stage) => templateWithoutCode(stage)) as [
  Template,
  Template,
];
const domain = {
  api: 'api.mine.test',
  ingress: 'in.mine.test',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1',
};

/** The policy of the bucket belongs to it. */
const stored = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::S3::BucketPolicy', 'AWS::KMS::Key'];
const propertiesOf = (template: Template, type: string) =>
  resourcesOf(template, type).map(([, { Properties }]) => Properties);
const variablesOf = (template: Template) =>
  propertiesOf(template, 'AWS::Lambda::Function').flatMap(({ Environment = {} }) =>
    Object.entries((Environment as { Variables?: object }).Variables ?? {}),
  );

describe('retention', () => {
  test('keeps table, bucket with its policy, and key, except those of a first deployment that failed', () => {
    for (const type of stored) {
      const [[, resource] = expect.fail(type), ...others] = resourcesOf(prod, type);
      expect(others).toEqual([]);
      expect([resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
  });

  test('deletes them with a stack that is for trying', () => {
    for (const type of stored) {
      const [[, resource] = expect.fail(type)] = resourcesOf(dev, type);
      expect([resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual(['Delete', 'Delete']);
    }
  });

  test.each([
    ['dev', dev],
    ['prod', prod],
  ])('keeps nothing with a fixed name, so that a new stack of %s can be deployed', (_name, template) => {
    const kept = Object.entries(template.Resources).filter(([, { DeletionPolicy = 'Delete' }]) =>
      String(DeletionPolicy).startsWith('Retain'),
    );
    const named = kept.filter(([, { Properties }]) =>
      Object.keys(Properties).some((name) => /^(?:Name|\w+Name)$/.test(name)),
    );
    expect(named.map(([id]) => id)).toEqual([]);
    expect(resourcesOf(template, 'AWS::Scheduler::ScheduleGroup')).toHaveLength(1);
    expect(kept.map(([, { Type }]) => Type).filter((type) => !stored.includes(type))).toEqual([]);
  });

  test('keeps log lines as long as the stage says', () => {
    const daysOf = (template: Template) =>
      new Set(propertiesOf(template, 'AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays));
    expect([daysOf(dev), daysOf(prod)]).toEqual([new Set([7]), new Set([90])]);
  });
});

describe('adoption', () => {
  const adopt = {
    table: 'Tributary-EventsTable-1',
    bucket: 'tributary-objectsbucket-1',
    keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1',
  };
  const own = templateWithoutCode();
  const adopting = templateWithoutCode({ adopt });

  test('takes the places of table, bucket, its policy and key, changes none of them, and changes no other logical id', () => {
    const idsOf = (template: Template) => Object.entries(template.Resources).map(([id, { Type }]) => [id, Type]);
    const replaced = idsOf(own).filter(([, type = '']) => stored.includes(type));
    expect(replaced).toHaveLength(4);
    expect(propertiesOf(adopting, 'AWS::S3::BucketPolicy')).toEqual([]);
    expect(idsOf(adopting)).toEqual(idsOf(own).filter(([, type = '']) => !stored.includes(type)));
    const text = JSON.stringify(adopting);
    for (const [id = ''] of replaced) expect(text).not.toContain(`"${id}"`);
  });

  test('refuses a deployment until the stack is known to keep its own data, whoever deploys the template', () => {
    const guardOf = (template: object) =>
      'Parameters' in template && 'Rules' in template && [template.Parameters, template.Rules];
    const guard = (value: string) => [
      { OwnDataIsKept: expect.objectContaining({ Type: 'String', Default: value }) as unknown },
      {
        AdoptionIsChecked: {
          Assertions: [
            {
              Assert: { 'Fn::Equals': [{ Ref: 'OwnDataIsKept' }, 'yes'] },
              AssertDescription: expect.stringMatching(
                /set the parameter OwnDataIsKept to yes, or the property isAdoptionChecked \(docs\/construct\.md\)\.$/,
              ) as string,
            },
          ],
        },
      },
    ];
    expect(guardOf(adopting)).toEqual(guard('no'));
    expect(guardOf(stackWithoutCode({ adopt }, { isAdoptionChecked: true }).template)).toEqual(guard('yes'));
    expect(guardOf(own)).toBe(false);
  });

  test('gives every function and every output the adopted names', () => {
    const found = variablesOf(adopting);
    const named = (variable: string) => new Set(found.flatMap(([name, value]) => (name === variable ? [value] : [])));
    expect(named('TABLE_NAME')).toEqual(new Set([adopt.table]));
    expect(named('BUCKET_NAME')).toEqual(new Set([adopt.bucket]));
    expect(named('ACCOUNT_KEY_ARN')).toEqual(new Set([adopt.keyArn]));
    expect(adopting.Outputs).toMatchObject({
      TableName: { Value: adopt.table },
      BucketName: { Value: adopt.bucket },
      AccountKeyArn: { Value: adopt.keyArn },
    });
  });

  test('gives each role the same permissions on the adopted resources', () => {
    const arns = JSON.stringify(propertiesOf(adopting, 'AWS::IAM::Role'));
    expect(arns).toContain(`:table/${adopt.table}"`);
    expect(arns).toContain(`:s3:::${adopt.bucket}/`);
    expect(arns).toContain(`"${adopt.keyArn}"`);
    const actionsOf = (template: Template) =>
      JSON.stringify(propertiesOf(template, 'AWS::IAM::Role')).match(/"Action":("[^"]+"|\[[^\]]+\])/g);
    expect(actionsOf(adopting)).toEqual(actionsOf(own));
  });
});

describe('a domain', () => {
  const template = templateWithoutCode({ domain });

  test('has each API at its root, over TLS 1.2 or newer', () => {
    expect(propertiesOf(template, 'AWS::ApiGatewayV2::DomainName').map(({ DomainName }) => DomainName)).toEqual([
      domain.ingress,
      domain.api,
    ]);
    for (const properties of propertiesOf(template, 'AWS::ApiGatewayV2::DomainName')) {
      expect(properties['DomainNameConfigurations']).toEqual([
        { CertificateArn: domain.certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ]);
    }
    const mappings = resourcesOf(template, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mappings).toHaveLength(2);
    for (const [, { Properties, DependsOn }] of mappings) {
      expect(Properties).not.toHaveProperty('ApiMappingKey');
      expect(Properties['Stage']).toBe('$default');
      expect([DependsOn].flat().map((id) => template.Resources[String(id)]?.Type)).toEqual([
        'AWS::ApiGatewayV2::Stage',
      ]);
    }
  });

  test('is in the addresses of endpoints and in the outputs, with the targets of its records', () => {
    const addresses = variablesOf(template).flatMap(([name, value]) => (name === 'INGRESS_URL' ? [value] : []));
    expect(new Set(addresses)).toEqual(new Set([`https://${domain.ingress}`]));
    expect(template.Outputs).toMatchObject({
      ApiUrl: { Value: `https://${domain.api}/v1` },
      IngressUrl: { Value: `https://${domain.ingress}` },
      ApiRecordTarget: { Value: { 'Fn::GetAtt': [expect.any(String), 'RegionalDomainName'] } },
      IngressRecordTarget: { Value: { 'Fn::GetAtt': [expect.any(String), 'RegionalDomainName'] } },
    });
  });
});

describe('a domain with a wildcard', () => {
  const template = templateWithoutCode({ domain: { ...domain, ingress: '*.in.mine.test' } });

  test('gives the API of the endpoints both names, each at its root', () => {
    const names = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName');
    expect(names.map(([, { Properties }]) => Properties['DomainName'])).toEqual([
      'in.mine.test',
      '*.in.mine.test',
      domain.api,
    ]);
    const mappings = propertiesOf(template, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mappings.map(({ DomainName }) => DomainName)).toEqual(names.map(([id]) => ({ Ref: id })));
    const [plain, wildcard, api] = mappings.map(({ ApiId }) => JSON.stringify(ApiId));
    expect(wildcard).toBe(plain);
    expect(api).not.toBe(plain);
    for (const [, { Properties }] of names)
      expect(Properties['DomainNameConfigurations']).toMatchObject([{ CertificateArn: domain.certificateArn }]);
  });

  test('is in the addresses of endpoints, and has a record of its own', () => {
    const addresses = variablesOf(template).flatMap(([name, value]) => (name === 'INGRESS_URL' ? [value] : []));
    expect(new Set(addresses)).toEqual(new Set(['https://*.in.mine.test']));
    expect(template.Outputs).toMatchObject({
      IngressUrl: { Value: 'https://*.in.mine.test' },
      IngressRecordTarget: { Value: { 'Fn::GetAtt': [expect.any(String), 'RegionalDomainName'] } },
      EndpointsRecordTarget: { Value: { 'Fn::GetAtt': [expect.any(String), 'RegionalDomainName'] } },
    });
    expect(template.Outputs?.['EndpointsRecordTarget']).not.toEqual(template.Outputs?.['IngressRecordTarget']);
  });
});

describe('notifications', () => {
  test('go from every alarm to a topic of the stack, which CloudWatch may publish to over TLS only', () => {
    const [[id] = expect.fail('no topic')] = resourcesOf(prod, 'AWS::SNS::Topic');
    expect(propertiesOf(prod, 'AWS::SNS::Subscription')).toMatchObject([
      { Protocol: 'email', Endpoint: 'operators@example.com', TopicArn: { Ref: id } },
    ]);
    for (const alarm of propertiesOf(prod, 'AWS::CloudWatch::Alarm'))
      expect(alarm['AlarmActions']).toEqual([{ Ref: id }]);
    const [policy = expect.fail('no policy')] = propertiesOf(prod, 'AWS::SNS::TopicPolicy');
    expect(policy['PolicyDocument']).toMatchObject({
      Statement: [
        { Effect: 'Deny', Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        {
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
  });

  test('go to an existing topic too', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:111122223333:mine';
    const template = templateWithoutCode({ alarmTopicArn, alarmEmail: 'me@mine.test' });
    for (const alarm of propertiesOf(template, 'AWS::CloudWatch::Alarm'))
      expect(alarm['AlarmActions']).toEqual([alarmTopicArn, { Ref: expect.any(String) }]);
  });

  test('announce the bill before and when the month costs more than its budget', () => {
    const [{ Budget, NotificationsWithSubscribers } = {}] = propertiesOf(prod, 'AWS::Budgets::Budget');
    expect(Budget).toMatchObject({ BudgetLimit: { Amount: 100, Unit: 'USD' }, TimeUnit: 'MONTHLY' });
    expect(NotificationsWithSubscribers).toEqual(
      [
        ['ACTUAL', 50],
        ['ACTUAL', 100],
        ['FORECASTED', 100],
      ].map(([NotificationType, Threshold]) => ({
        Notification: expect.objectContaining({ NotificationType, Threshold }),
        Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'operators@example.com' }],
      })),
    );
    expect(resourcesOf(dev, 'AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('a stage', () => {
  test('protects its stack from deletion if it says so', () => {
    const isProtected = (name: string) => stackWithoutCode(readStage(name)).stack.terminationProtection;
    expect([isProtected('dev'), isProtected('prod')]).toEqual([false, true]);
  });

  test('caps each queue by its preset', () => {
    const capsOf = (template: Template) =>
      Object.fromEntries(
        resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([id, { Properties }]) => [
          id.replace(/Feed.*/, ''),
          Properties['ScalingConfig'],
        ]),
      );
    const caps = (Runs: number, Deliveries: number, Retries: number, Timers: number) =>
      Object.fromEntries(
        Object.entries({ Runs, Deliveries, Retries, Timers }).map(([name, MaximumConcurrency]) => [
          name,
          { MaximumConcurrency },
        ]),
      );
    expect(capsOf(dev)).toEqual(caps(2, 2, 2, 2));
    expect(capsOf(prod)).toEqual(caps(50, 50, 20, 5));
  });

  test('throttles each API', () => {
    for (const { DefaultRouteSettings } of propertiesOf(dev, 'AWS::ApiGatewayV2::Stage'))
      expect(DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 40, ThrottlingBurstLimit: 80 });
  });

  test('tags every resource that can have tags', () => {
    for (const type of ['AWS::Lambda::Function', 'AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::KMS::Key']) {
      for (const { Tags } of propertiesOf(dev, type))
        expect(Tags).toEqual(
          expect.arrayContaining([
            { Key: 'stage', Value: 'dev' },
            { Key: 'tributary:stack', Value: 'TributaryDev' },
          ]),
        );
    }
  });

  test('names each API after its stack, so that the lists of an account tell two stacks apart', () => {
    const names = propertiesOf(dev, 'AWS::ApiGatewayV2::Api').map(({ Name }) => Name);
    expect(names.toSorted()).toEqual(['TributaryDev-api', 'TributaryDev-ingress']);
  });

  test('switches the names of API Gateway off, unless the stage keeps them', () => {
    const disabled = (stage: object) =>
      propertiesOf(templateWithoutCode(stage), 'AWS::ApiGatewayV2::Api').map(
        ({ DisableExecuteApiEndpoint: value = false }) => value,
      );
    expect(disabled({ domain })).toEqual([true, true]);
    expect(disabled({ domain: { ...domain, keepDefaultNames: true } })).toEqual([false, false]);
    expect(disabled({})).toEqual([false, false]);
  });
});

test('tracing is of all functions but those for untrusted code, which get no right for it', () => {
  const tracingOf = (stage: object) => {
    const functions = propertiesOf(templateWithoutCode(stage), 'AWS::Lambda::Function');
    return functions.map(({ TenancyConfig, TracingConfig }) => [TenancyConfig !== undefined, TracingConfig]);
  };
  expect(tracingOf({}).every(([, tracing]) => tracing === undefined)).toBe(true);
  const traced = tracingOf({ tracing: true });
  expect(traced.filter(([isUntrusted]) => isUntrusted)).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
  for (const [isUntrusted, tracing] of traced) if (isUntrusted !== true) expect(tracing).toEqual({ Mode: 'Active' });
  const rights = (stage: object) =>
    JSON.stringify(templateWithoutCode(stage)).split('xray:PutTraceSegments').length - 1;
  expect([rights({}), rights({ tracing: true })]).toEqual([0, traced.length - 2]);
});

describe('a key of the operator and access logs', () => {
  const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1';
  const template = templateWithoutCode({
    kmsKeyArn,
    accessLogs: { bucket: 'mine-logs', ingress: true },
    alarmEmail: 'me@mine.test',
  });

  test('encrypt every log, the variables of every function, the bucket and the topic', () => {
    const keysOf = (type: string, name: string) => new Set(propertiesOf(template, type).map((each) => each[name]));
    expect(keysOf('AWS::Logs::LogGroup', 'KmsKeyId')).toEqual(new Set([kmsKeyArn]));
    expect(keysOf('AWS::Lambda::Function', 'KmsKeyArn')).toEqual(new Set([kmsKeyArn]));
    expect(keysOf('AWS::SNS::Topic', 'KmsMasterKeyId')).toEqual(new Set([kmsKeyArn]));
    expect(propertiesOf(template, 'AWS::S3::Bucket')[0]?.['BucketEncryption']).toMatchObject({
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: kmsKeyArn },
        },
      ],
    });
  });

  test.each([
    {},
    { adopt: { table: 'table', bucket: 'mine-bucket', keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/2' } },
  ])('let each function use the key by S3, as far as it reads or writes objects: %j', (more) => {
    const roles = propertiesOf(templateWithoutCode({ kmsKeyArn, ...more }), 'AWS::IAM::Role');
    const actionsOn = (properties: Record<string, unknown>, part: string) => {
      const text = JSON.stringify(properties['Policies'] ?? []);
      return [...text.matchAll(/\{"Action":"([^"]+)".*?"Resource":(.*?)\}(?=,\{"Action"|\])/g)]
        .filter(([statement]) => statement.includes(part))
        .map(([, action]) => action);
    };
    const ofKey = roles.map((role) => actionsOn(role, `"${kmsKeyArn}"`).sort());
    const expected = roles.map((role) => {
      const objects = new Set(actionsOn(role, '/*"').filter((action) => action?.startsWith('s3:')));
      return [
        ...(objects.has('s3:GetObject') ? ['kms:Decrypt'] : []),
        ...(objects.has('s3:PutObject') ? ['kms:GenerateDataKey'] : []),
      ];
    });
    expect(ofKey).toEqual(expected);
    expect(ofKey.flat().length).toBeGreaterThan(10);
  });

  test('let operators who act use the key for objects, and those who read not', () => {
    const using = Object.entries(template.Resources)
      .filter(([id, { Type, Properties }]) => {
        const statement = { Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Effect: 'Allow', Resource: kmsKeyArn };
        return Type === 'AWS::IAM::Role' && id.startsWith('Operator') && contains(Properties, statement);
      })
      .map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
    expect(using).toEqual(['OperatorAct']);
  });

  test('log the requests to both APIs and to the bucket', () => {
    expect(propertiesOf(template, 'AWS::S3::Bucket')[0]?.['LoggingConfiguration']).toEqual({
      DestinationBucketName: 'mine-logs',
      LogFilePrefix: 'Tributary/',
    });
    const logged = propertiesOf(template, 'AWS::ApiGatewayV2::Stage').map(({ AccessLogSettings }) => AccessLogSettings);
    expect(logged).toHaveLength(2);
    for (const settings of logged) expect(settings).toMatchObject({ Format: expect.not.stringMatching(/path|query/i) });
    const names = propertiesOf(template, 'AWS::Logs::LogGroup').flatMap(({ LogGroupName: name }) => name ?? []);
    expect(names).toEqual(['/aws/vendedlogs/Tributary/Ingress', '/aws/vendedlogs/Tributary/PublicApi']);
  });

  test('are not in a stack without the settings', () => {
    expect(JSON.stringify(prod)).not.toMatch(/KmsKeyId|KmsKeyArn|KmsMasterKeyId|LoggingConfiguration/);
  });
});

test('only services of AWS may pass on the use of the key of accounts', () => {
  const [key = expect.fail('no key')] = propertiesOf(prod, 'AWS::KMS::Key');
  expect(key['KeyPolicy']).toMatchObject({
    Statement: expect.arrayContaining([
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'kms:CreateGrant',
        Resource: '*',
        Condition: { BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' } },
      },
    ]),
  });
});

const contains = (value: unknown, part: object): boolean => JSON.stringify(value).includes(JSON.stringify(part));
