import { describe, expect, test } from 'vitest';
import { sizing } from '../../infra/sizing.ts';
import { type Resource, resourcesOf, templateWithoutCode } from '../support/stack.ts';

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
  template.Resources[(fn.Properties.Role as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0]] ??
  expect.fail('no role');
const functionsOf = (pattern: RegExp) =>
  resourcesOf(template, 'AWS::Lambda::Function').filter(([id]) => pattern.test(id));

describe('the stack', () => {
  test('synthesises to the same template twice', () => {
    expect(templateWithoutCode()).toEqual(template);
  });

  test('has thirteen functions, all ours, and no custom resource', () => {
    expect(functionsOf(/./)).toHaveLength(13);
    expect(all.filter(([, { Type }]) => /^Custom::|CustomResource/.test(Type))).toEqual([]);
    expect(Object.keys(template)).not.toContain('Parameters');
  });

  test('uses only the intrinsic functions Ref, GetAtt, Join and Sub', () => {
    const used = new Set(JSON.stringify(template).match(/"(Ref|Fn::[A-Za-z]+)":/g));
    expect([...used].filter((name) => !/"(Ref|Fn::(GetAtt|Join|Sub))":/.test(name))).toEqual([]);
  });

  test('keeps its data when it is deleted', () => {
    const data = [
      ...resourcesOf(template, 'AWS::DynamoDB::GlobalTable'),
      ...resourcesOf(template, 'AWS::S3::Bucket'),
    ];
    expect(data).toHaveLength(2);
    for (const [, { DeletionPolicy, UpdateReplacePolicy }] of data) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
  });

  test('has a key that rotates and stays; functions may use it only as they need, naming owner and account or listener', () => {
    const [[id, key] = expect.fail('no key'), ...others] = resourcesOf(template, 'AWS::KMS::Key');
    expect(others).toEqual([]);
    expect(key.Properties.EnableKeyRotation).toBe(true);
    expect([key.DeletionPolicy, key.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
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
    const openAccounts = allowed('Decrypt', { 'kms:EncryptionContext:account': 'apn_*' });
    const openListeners = allowed('Decrypt', { 'kms:EncryptionContext:listener': ['wh_*', 'p_*'] });
    const sealWebhooks = allowed('GenerateDataKey', { 'kms:EncryptionContext:listener': 'wh_*' });
    expect(Object.fromEntries(granted)).toEqual({
      Components: openAccounts,
      Ingress: openAccounts,
      RunSource: openAccounts,
      Sources: openAccounts,
      DeliverEvent: openListeners,
      RetryDelivery: openListeners,
      Webhooks: sealWebhooks,
    });
    expect(granted).toHaveLength(7);
  });

  test('has one table, on demand and recoverable to any point in time', () => {
    const [[, table] = expect.fail('no table')] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table.Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(JSON.stringify(table.Properties.Replicas)).toContain('"PointInTimeRecoveryEnabled":true');
  });

  test('gives each of the four queues a dead-letter queue of its own, and an alarm that has a page', () => {
    const queues = resourcesOf(template, 'AWS::SQS::Queue');
    const working = queues.filter(([, { Properties }]) => Properties.RedrivePolicy);
    const targets = working.map(([, { Properties }]) => JSON.stringify(Properties.RedrivePolicy));
    expect(queues).toHaveLength(8);
    expect(new Set(targets).size).toBe(4);
    expect(resourcesOf(template, 'AWS::CloudWatch::Alarm')).toHaveLength(4);
  });

  test('caps the concurrency of every event-source mapping and reports failures per message', () => {
    const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(4);
    for (const [, { Properties }] of mappings) {
      expect(Properties.ScalingConfig).toMatchObject({ MaximumConcurrency: 2 });
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
    expect(
      functionsOf(/./).filter(([, { Properties }]) => 'ReservedConcurrentExecutions' in Properties),
    ).toEqual([]);
  });

  test.each(Object.entries(sizing.queues))(
    'gives the queue %s its sizing',
    (_name, { visibility, maxReceiveCount }) => {
      const found = resourcesOf(template, 'AWS::SQS::Queue').filter(
        ([, { Properties }]) =>
          Properties.VisibilityTimeout === visibility &&
          (Properties.RedrivePolicy as { maxReceiveCount?: number } | undefined)?.maxReceiveCount ===
            maxReceiveCount,
      );
      expect(found.length).toBeGreaterThanOrEqual(1);
    },
  );
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

  test('allow nothing to the functions that touch code of users, and give every tenant instances of its own', () => {
    const userCode = functionsOf(/^(Builder|Runner)Function/);
    expect(userCode).toHaveLength(2);
    for (const [, fn] of userCode) {
      expect(policiesOf(roleOf(fn))).toEqual([]);
      expect(fn.Properties.TenancyConfig).toEqual({ TenantIsolationMode: 'PER_TENANT' });
    }
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
