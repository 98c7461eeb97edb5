import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { Report as DoctorReport } from '../../../bin/admin/operator-command.ts';
import { checks, examineStack } from '../../../bin/admin/doctor/doctor-stack.ts';
import { namesFrom } from '../../../bin/admin/names.ts';
import { type Operator, operatorOf } from '../../../bin/admin/operator.ts';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import { OPERATOR } from '../../../infra/embedded/iam/authorizer.ts';
import { PLUGIN, sdkPlugin } from '../../../infra/embedded/sdk-plugin.ts';
import { startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { adminJson } from '../../support/operator.ts';
import { travel } from '../../support/travel.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';

trustRegistry();

const Report = z.object({
  checks: z.array(z.object({ name: z.string(), status: z.string(), observation: z.string() })),
  clean_up: z.string(),
});

let cloud: TestCloud;
let operator: Operator;
let response: DoctorReport;
beforeAll(async () => {
  const clock = new FakeClock(Date.now());
  cloud = await startTestCloud({ hasOwnBuilder: true, clock });
  // Not through the operator's socket, which does not stream.
  const { dispatch, outputs, operatorEnvironment } = cloud.cloud.open;
  Object.assign(process.env, operatorEnvironment);
  Reflect.set(process, PLUGIN, sdkPlugin({ dispatch, role: OPERATOR }));
  operator = operatorOf(namesFrom(outputs));
  response = await examineStack({
    stackName: 'Ours',
    region: 'us-east-1',
    api: cloud.base,
    deliveryAddresses: [],
    operator,
    async sleep(ms) {
      await travel(clock, { byMs: ms, stepMs: ms, isBusy });
    },
  });
});
afterAll(() => cloud.stop());

/**
 * Whether a function works, or a message waits for one. The doctor counts its waits by the clock, which must not run
 * ahead of the work.
 */
function isBusy(): boolean {
  const { functions, services } = cloud.cloud;
  const consumed = services.stack
    .ofType('AWS::SQS::Queue')
    .filter(({ properties }) => properties['RedrivePolicy'] !== undefined)
    .map(({ attributes }) => services.sqs.countsOf(attributes['Arn'] ?? ''));
  return (
    [...functions.values()].some(({ running }) => running > 0) ||
    consumed.some(({ visible, inFlight }) => visible + inFlight > 0)
  );
}

/** Lines that one machine answers otherwise than AWS, or not at all. */
const OTHERWISE: Readonly<Record<string, string>> = {
  functions: 'open',
  concurrency: 'open',
  fifo: 'open',
  logs: 'open',
  alarms: 'open',
  subscribers: 'open',
  budget: 'open',
  addresses: 'unused',
  'group-name': 'open',
  'oauth-clients': 'unused',
  processor: process.arch === 'arm64' ? 'holds' : 'refuted',
  // All users share this machine.
  tenants: 'refuted',
};

test('every other claim holds on the embedded cloud', () => {
  const { checks: findings } = Report.parse(response.json);
  const expected = checks.map(({ name }) => [name, OTHERWISE[name] ?? 'holds']);
  const shown = findings.map(({ name, status, observation }) => `${name}: ${status}: ${observation}`);
  expect(
    findings.map(({ name, status }) => [name, status]),
    shown.join('\n'),
  ).toEqual(expected);
  expect(response.isFailed).toBe(true);
});

test('the report has a line for every claim', () => {
  for (const { name, claim } of checks) expect(response.text).toMatch(new RegExp(`^\\w+ +${name}: ${claim}$`, 'm'));
});

test('nothing of the examination is left', async () => {
  expect(Report.parse(response.json).clean_up).toBe('removed its users and sources');
  const users = await adminJson(operator, ['users', 'list']);
  expect(z.array(z.object({ username: z.string() })).parse(users)).toEqual([{ username: 'admin' }]);
});

test('the report holds no key, no address and no id', () => {
  for (const text of [response.text, JSON.stringify(response.json)])
    expect(text).not.toMatch(/https?:\/\/|\b(?:u|dc|sc|wh)_[0-9a-z]{20}|[A-Za-z0-9_-]{43}/);
});
