import { FLAGS } from 'aws-cdk-lib/cx-api';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { stackWithoutCode } from '../support/stack.ts';

const { context } = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync('cdk.json', 'utf8')));

/** Recommended values that this stack does not take. */
const DIFFERENT: Readonly<Record<string, unknown>> = {
  // One statement for each action: a test removes each one, and checks that something needs it.
  '@aws-cdk/aws-iam:minimizePolicies': false,
};

test('cdk.json has every flag that the installed CDK recommends, and no other', () => {
  const recommended = Object.entries(FLAGS)
    .filter(
      ([, { recommendedValue, unconfiguredBehavesLike }]) => unconfiguredBehavesLike?.v2 !== recommendedValue,
    )
    .map(([name, { recommendedValue }]) => [name, DIFFERENT[name] ?? recommendedValue]);
  expect(recommended.length).toBeGreaterThan(50);
  expect(context).toEqual(Object.fromEntries(recommended));
});

test.each([
  {},
  {
    alarmEmail: 'operators@example.com',
    budget: { monthlyUsd: 100, email: 'operators@example.com' },
    domain: {
      api: 'api.example.com',
      ingress: 'in.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000',
    },
  },
])('the flags change nothing of the template that one machine interprets: %j', (stage) => {
  expect(stackWithoutCode(stage, context).template).toEqual(stackWithoutCode(stage).template);
});
