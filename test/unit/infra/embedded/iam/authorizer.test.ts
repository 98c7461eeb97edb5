import { expect, test } from 'vitest';
import { type Authorizer, authorizer, OPERATOR, type Recorder } from '../../../../../infra/embedded/iam/authorizer.ts';
import { policiesOf } from '../../../../../infra/embedded/iam/policies.ts';
import { interpret } from '../../../../../infra/embedded/template/interpret.ts';

const role = 'arn:aws:iam::000000000000:role/Reader';
const permission = {
  action: 'dynamodb:GetItem',
  resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/Things',
};

function made(onAllowed?: Recorder, Condition: object = {}): Authorizer {
  const document = (statement: object) => ({ Version: '2012-10-17', Statement: [statement] });
  const Reader = {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: document({
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: 'lambda.amazonaws.com' },
      }),
      Policies: [
        {
          PolicyName: 'own',
          PolicyDocument: document({
            Effect: 'Allow',
            Action: permission.action,
            Resource: permission.resource,
            Condition,
          }),
        },
      ],
    },
  };
  const stack = interpret({ Resources: { Reader } }, { origins: { api: 'http://here:1', ingress: 'http://here:2' } });
  return authorizer({ policies: policiesOf(stack), sessionOf: () => 'ReadThings', onAllowed });
}

test.each([
  ['DynamoDB', 'AccessDeniedException', 400],
  ['Scheduler', 'AccessDeniedException', 403],
  ['Lambda', 'AccessDeniedException', 403],
  ['SQS', 'AccessDenied', 403],
  ['S3', 'AccessDenied', 403],
] as const)('%s refuses as it does on AWS: %s, %i', (service, name, statusCode) => {
  const refused = () => {
    made().check(role, service, [{ ...permission, action: 'dynamodb:PutItem' }]);
  };
  expect(refused).toThrow(
    expect.objectContaining({
      name,
      statusCode,
      message: `User: arn:aws:sts::000000000000:assumed-role/Reader/ReadThings is not authorized to perform: dynamodb:PutItem on resource: ${permission.resource} because no identity-based policy allows the dynamodb:PutItem action`,
    }),
  );
});

test('every demand of a call must be allowed, not only the first', () => {
  expect(() => {
    made().check(role, 'DynamoDB', [permission, { ...permission, action: 'dynamodb:PutItem' }]);
  }).toThrow(/PutItem/);
});

test('an allowed request is recorded once, with the statement that allowed it', () => {
  const recorded: unknown[] = [];
  const iam = made((request, statements) => recorded.push([request.action, request.resource, statements]));
  iam.check(role, 'DynamoDB', [permission]);
  iam.check(role, 'DynamoDB', [permission]);
  expect(recorded).toEqual([[permission.action, permission.resource, ['Reader.own#0']]]);
});

const ofKey = (key: string) => ({ ...permission, context: { 'dynamodb:LeadingKeys': key } });

test.each([
  ['no condition', {}],
  ['a condition on what every request has', { Bool: { 'aws:SecureTransport': 'true' } }],
])('with %s a decision is made once, whatever the keys of the request', (_, condition) => {
  const recorded: unknown[] = [];
  const iam = made((request) => recorded.push(request.context), condition);
  iam.check(role, 'DynamoDB', [ofKey('a'), ofKey('b'), permission]);
  iam.check(role, 'DynamoDB', [ofKey('c')]);
  expect(recorded).toHaveLength(1);
});

test('with a condition on a key of the request every request is decided for itself', () => {
  const iam = made(undefined, { StringEquals: { 'dynamodb:LeadingKeys': ['a', 'b'] } });
  expect(['a', 'c', 'b', 'a'].map((key) => iam.allows(role, ofKey(key)))).toEqual([true, false, true, true]);
  expect(iam.allows(role, permission)).toBe(false);
});

test('the operator of the machine may do everything', () => {
  expect(made().allows(OPERATOR, { action: 'anything:AtAll', resource: '*' })).toBe(true);
});

test('a service takes a role only on behalf of the resources that the trust policy names', () => {
  const group = (name: string) => `arn:aws:scheduler:us-east-1:000000000000:schedule-group/${name}`;
  const Ticker = {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:AssumeRole',
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: {
              StringEquals: { 'aws:SourceAccount': '000000000000' },
              ArnEquals: { 'aws:SourceArn': group('own') },
            },
          },
        ],
      },
    },
  };
  const stack = interpret({ Resources: { Ticker } }, { origins: { api: 'http://here:1', ingress: 'http://here:2' } });
  const { mayAssume } = authorizer({ policies: policiesOf(stack) });
  const ticker = 'arn:aws:iam::000000000000:role/Ticker';
  expect(mayAssume(ticker, 'scheduler.amazonaws.com', group('own'))).toBe(true);
  expect(mayAssume(ticker, 'scheduler.amazonaws.com', group('other'))).toBe(false);
  expect(mayAssume(ticker, 'lambda.amazonaws.com', group('own'))).toBe(false);
});
