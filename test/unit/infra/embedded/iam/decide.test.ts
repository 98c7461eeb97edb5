import { describe, expect, test } from 'vitest';
import { decide, mayAssume } from '../../../../../infra/embedded/iam/decide.ts';
import { policiesOf } from '../../../../../infra/embedded/iam/policies.ts';
import { interpret } from '../../../../../infra/embedded/template/interpret.ts';

const role = 'arn:aws:iam::000000000000:role/Reader';
const queueArn = 'arn:aws:sqs:us-east-1:000000000000:Work';
const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const allow = (more: object) => ({ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queueArn, ...more });
const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } };

interface PolicyInput {
  statements?: object[];
  resources?: object;
  trust?: object;
}

function policies({ statements = [], resources = {}, trust: trusted = trust }: PolicyInput) {
  const Policies = [{ PolicyName: 'own', PolicyDocument: document(...statements) }];
  const Reader = {
    Type: 'AWS::IAM::Role',
    Properties: { AssumeRolePolicyDocument: document(trusted), Policies },
  };
  return policiesOf(
    interpret({ Resources: { Reader, ...resources } }, { origins: { api: 'http://here:1', ingress: 'http://here:2' } }),
  );
}

const may = (input: PolicyInput, { action = 'sqs:SendMessage', resource = queueArn, context = {} } = {}) =>
  decide(policies(input), { principal: { kind: 'role', name: role }, action, resource, context }).allowed;

describe('a call is allowed', () => {
  test('by a statement of its role with the action and the resource', () => {
    expect(may({ statements: [allow({})] })).toBe(true);
    expect(may({ statements: [] })).toBe(false);
    expect(may({ statements: [allow({ Action: 'sqs:ReceiveMessage' })] })).toBe(false);
    expect(may({ statements: [allow({ Resource: `${queueArn}2` })] })).toBe(false);
  });

  test('by wildcards in action and resource; the case of actions is ignored', () => {
    expect(may({ statements: [allow({ Action: 'sqs:send*' })] })).toBe(true);
    expect(may({ statements: [allow({ Action: 'SQS:?endMessage' })] })).toBe(true);
    expect(may({ statements: [allow({ Resource: 'arn:aws:sqs:*:*:W?rk' })] })).toBe(true);
    expect(may({ statements: [allow({ Resource: '*' })] })).toBe(true);
  });

  test('of the whole resource: a name that begins like it is another', () => {
    expect(may({ statements: [allow({})] }, { resource: `${queueArn}2` })).toBe(false);
  });

  test('but a wildcard matches none of the first five colons, and a dot matches only a dot', () => {
    expect(may({ statements: [allow({ Resource: 'arn:aws:*:Work' })] })).toBe(false);
    expect(may({ statements: [allow({ Resource: 'arn:aws:sqs:us-east-1:*' })] })).toBe(false);
    const logs = 'arn:aws:logs:us-east-1:000000000000';
    const statements = [allow({ Resource: `${logs}:*` })];
    expect(may({ statements }, { resource: `${logs}:log-group:a:log-stream:b` })).toBe(true);
    expect(may({ statements: [allow({ Resource: queueArn.replace('Work', 'W.rk') })] })).toBe(false);
  });

  test('never against a Deny in any policy', () => {
    const deny = { Effect: 'Deny', Action: 'sqs:*', Resource: '*' };
    expect(may({ statements: [allow({}), deny] })).toBe(false);
    const resources = {
      Work: { Type: 'AWS::SQS::Queue' },
      Policy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: { Queues: [{ Ref: 'Work' }], PolicyDocument: document({ ...deny, Principal: '*' }) },
      },
    };
    expect(may({ statements: [allow({})], resources })).toBe(false);
  });

  test('by the policy of the resource alone, if it names the role', () => {
    const policy = (AWS: string) => ({
      Work: { Type: 'AWS::SQS::Queue' },
      Policy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: { Queues: [{ Ref: 'Work' }], PolicyDocument: document(allow({ Principal: { AWS } })) },
      },
    });
    expect(may({ resources: policy(role) })).toBe(true);
    expect(may({ resources: policy('arn:aws:iam::000000000000:role/Other') })).toBe(false);
  });
});

describe('conditions', () => {
  const when = (Condition: object, context: Record<string, string>) =>
    may({ statements: [allow({ Condition })] }, { context });

  test.each([
    [
      { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      { 'iam:passedtoservice': 'scheduler.amazonaws.com' },
      true,
    ],
    [{ StringEquals: { 'iam:PassedToService': ['a', 'b'] } }, { 'iam:passedtoservice': 'b' }, true],
    [{ StringEquals: { 'iam:PassedToService': 'a' } }, {}, false],
    [{ StringEqualsIfExists: { 'iam:PassedToService': 'a' } }, {}, true],
    [{ StringEqualsIfExists: { 'iam:PassedToService': 'a' } }, { 'iam:passedtoservice': 'b' }, false],
    [{ StringNotEquals: { k: 'a' } }, { k: 'b' }, true],
    [{ StringNotEquals: { k: 'a' } }, {}, true],
    [{ StringEqualsIgnoreCase: { k: 'ABC' } }, { k: 'abc' }, true],
    [{ StringLike: { k: 'a*c?' } }, { k: 'abcd' }, true],
    [{ StringNotLike: { k: 'a*' } }, { k: 'abcd' }, false],
    [{ ArnLike: { k: 'arn:aws:sqs:*:*:x*' } }, { k: 'arn:aws:sqs:r:1:xyz' }, true],
    [{ ArnEquals: { k: 'arn:aws:sqs:*:*:x' } }, { k: 'arn:aws:sqs:r:1:xyz' }, false],
    [{ Bool: { k: false } }, { k: 'false' }, true],
    [{ Bool: { k: 'true' } }, {}, false],
    [{ NumericLessThanEquals: { k: 10 } }, { k: '10' }, true],
    [{ NumericLessThan: { k: '10' } }, { k: '10' }, false],
    [{ NumericGreaterThan: { k: 9 } }, { k: '10' }, true],
    [{ Null: { k: 'true' } }, {}, true],
    [{ Null: { k: 'true' } }, { k: 'x' }, false],
    [{ 'ForAllValues:StringLike': { k: ['a*'] } }, {}, true],
    [{ 'ForAllValues:StringLike': { k: ['a*'] } }, { k: 'b' }, false],
    [{ 'ForAnyValue:StringEquals': { k: ['a'] } }, {}, false],
    [{ 'ForAnyValue:StringEquals': { k: ['a'] } }, { k: 'a' }, true],
    [{ StringEquals: { k: 'a' }, Bool: { l: 'true' } }, { k: 'a' }, false],
  ])('%j with %j: %s', (condition, context, expected) => {
    expect(when(condition, context)).toBe(expected);
  });

  test('an unknown operator stops the start with its name', () => {
    const start = () =>
      policies({ statements: [allow({ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } })] });
    expect(start).toThrow('In Reader.own#0 the condition operator IpAddress is not interpreted.');
  });
});

describe('unknown content of a policy stops the start', () => {
  test.each([
    ['NotAction', { Effect: 'Allow', NotAction: 'sqs:*', Resource: '*' }, /NotAction/],
    ['a policy variable', allow({ Resource: 'arn:aws:s3:::b/${aws:username}' }), /policy variable/],
    ['a principal in a role’s own policy', allow({ Principal: '*' }), /principal/],
    ['a statement without a resource', { Effect: 'Allow', Action: 'sqs:*' }, /resource/],
  ])('%s', (_what, statement, sentence) => {
    expect(() => policies({ statements: [statement] })).toThrow(sentence);
  });
});

test('a service may assume a role only if the role trusts it', () => {
  expect(mayAssume(policies({}), role, 'lambda.amazonaws.com', {})).toBe(true);
  expect(mayAssume(policies({}), role, 'scheduler.amazonaws.com', {})).toBe(false);
  const conditional = { ...trust, Condition: { StringEquals: { 'aws:SourceAccount': '1' } } };
  expect(mayAssume(policies({ trust: conditional }), role, 'lambda.amazonaws.com', { 'aws:sourceaccount': '2' })).toBe(
    false,
  );
});

test('a decision names every statement that allows the request', () => {
  const statements = [allow({}), allow({ Action: 'sqs:*' }), allow({ Action: 'sqs:ReceiveMessage' })];
  const request = {
    principal: { kind: 'role', name: role },
    action: 'sqs:SendMessage',
    resource: queueArn,
    context: {},
  } as const;
  expect(decide(policies({ statements }), request)).toEqual({
    allowed: true,
    by: ['Reader.own#0', 'Reader.own#1'],
  });
});
