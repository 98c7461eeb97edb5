import { ValidateTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
} from '@aws-sdk/client-service-quotas';
import { beforeEach, describe, expect, test } from 'vitest';
import { diagnose } from '../../../../bin/admin/doctor/doctor-command.ts';
import { DoctorInput } from '../../../../bin/admin/doctor/doctor-words.ts';
import { cloudFormation, lambda, resetAws, serviceQuotas } from './aws.ts';

const quotaOf = (QuotaName: string, Value: number, rest: object = {}) => ({
  QuotaName,
  QuotaCode: 'L-00000000',
  Value,
  ...rest,
});

const RATE = { ServiceCode: 'apigateway', QuotaCode: 'L-8A5B8E43' };
const WRITES = { ServiceCode: 'dynamodb', QuotaCode: 'L-AB614373' };
const READS = { ServiceCode: 'dynamodb', QuotaCode: 'L-CF0CBE56' };
const unknown = Object.assign(new Error('There is no such quota'), { name: 'NoSuchResourceException' });
const refused = (action: string) =>
  Object.assign(new Error(`You may not call ${action}\nbecause of a policy`), {
    name: 'AccessDeniedException',
  });

beforeEach(() => {
  resetAws();
  cloudFormation.on(ValidateTemplateCommand).resolves({});
  lambda.on(GetAccountSettingsCommand).resolves({
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  });
  serviceQuotas.on(GetServiceQuotaCommand, RATE).resolves({ Quota: quotaOf('Throttle rate', 10_000) });
  serviceQuotas.on(GetServiceQuotaCommand, WRITES).resolves({ Quota: quotaOf('Table-level write', 40_000) });
  serviceQuotas.on(GetServiceQuotaCommand, READS).resolves({ Quota: quotaOf('Table-level read', 30_000) });
  serviceQuotas.on(ListServiceQuotasCommand).resolves({ Quotas: [] });
  serviceQuotas.on(ListAWSDefaultServiceQuotasCommand).resolves({ Quotas: [] });
});

const diagnoseAccount = (options: object = {}) =>
  diagnose(DoctorInput.parse({ account: true, ...options }), {
    env: {},
    operate: () => Promise.reject(new Error('The doctor asks no service')),
  });

const linesOf = async (service: string) =>
  (await diagnoseAccount()).text.split('\n').filter((line) => line.includes(service));

describe('the quotas of other services', () => {
  test('are told with the setting of the stage that they limit, and how to raise them', async () => {
    const { json, text, isFailed } = await diagnoseAccount();
    expect(isFailed).toBe(false);
    expect(text).toContain(
      [
        'Quotas of other services in eu-west-1:',
        '  Amazon API Gateway: 10000 requests a second for all APIs of the account. It limits throttle.rate, which each of the two HTTP APIs may reach. Raise it in Service Quotas, Amazon API Gateway, Throttle rate.',
        '  Amazon DynamoDB: 40000 write units a second for the table. It limits throttle.rate: an event alone uses about 5 units, one of a full batch about 1. Raise it in Service Quotas, Amazon DynamoDB, Table-level write.',
        '  Amazon DynamoDB: 30000 read units a second for the table. ',
      ].join('\n'),
    );
    expect(json).toMatchObject({
      quotas: [
        { service: 'apigateway', quota: 'Throttle rate', value: 10_000, adjustable: true },
        { service: 'dynamodb', value: 40_000 },
        { service: 'dynamodb', value: 30_000 },
        { service: 'sqs', value: null, code: null },
        { service: 'scheduler', value: null },
        { service: 'scheduler', value: null },
        { service: 'scheduler', value: null },
      ],
    });
  });

  test('are the defaults of AWS for an account that has no value of its own', async () => {
    serviceQuotas.on(GetServiceQuotaCommand, RATE).rejects(unknown);
    serviceQuotas.on(GetAWSDefaultServiceQuotaCommand, RATE).resolves({ Quota: quotaOf('Throttle rate', 2_500) });
    expect(await linesOf('API Gateway')).toEqual([expect.stringContaining(': 2500 requests a second')]);
  });

  test('that AWS does not raise are told as such', async () => {
    serviceQuotas
      .on(GetServiceQuotaCommand, RATE)
      .resolves({ Quota: quotaOf('Throttle rate', 10_000, { Adjustable: false }) });
    expect(await linesOf('API Gateway')).toEqual([expect.stringMatching(/AWS does not raise it\.$/)]);
  });

  test('fail a stage whose throttle.rate is more than API Gateway allows', async () => {
    serviceQuotas.on(GetServiceQuotaCommand, RATE).resolves({ Quota: quotaOf('Throttle rate', 999) });
    const { text, isFailed } = await diagnoseAccount({ stage: 'prod' });
    expect(text).toContain(
      'The throttle.rate of prod, 2000, is more than the 999 requests of API Gateway: lower it, or raise the quota.',
    );
    expect(isFailed).toBe(true);
    serviceQuotas.on(GetServiceQuotaCommand, RATE).resolves({ Quota: quotaOf('Throttle rate', 2_000) });
    expect((await diagnoseAccount({ stage: 'prod' })).isFailed).toBe(false);
  });
});

describe('a quota without a published code', () => {
  const named = (ServiceCode: string, ...pages: string[][]) =>
    pages.forEach((names, index) =>
      serviceQuotas
        .on(ListServiceQuotasCommand, { ServiceCode, ...(index > 0 ? { NextToken: `${index}` } : {}) })
        .resolves({
          Quotas: names.map((name, value) => quotaOf(name, value)),
          ...(index + 1 < pages.length ? { NextToken: `${index + 1}` } : {}),
        }),
    );

  test.each([
    ['sqs', 'Throughput per FIFO queue, high throughput mode'],
    ['sqs', 'High-Throughput FIFO requests'],
    ['scheduler', 'CreateSchedule request rate'],
    ['scheduler', 'Rate of Create Schedule requests'],
    ['scheduler', 'Invocations throttle limit in transactions per second'],
    ['scheduler', 'Number of Schedules'],
  ])('of %s is found as "%s"', async (service, name) => {
    named(service, ['Queue name', 'CreateScheduleGroup request rate', 'In-flight FIFO high throughput', name]);
    const { text } = await diagnoseAccount();
    expect(text).toMatch(new RegExp(`: 3 .*, ${name}\\.`));
  });

  test.each([
    ['sqs', 'In-flight messages per high throughput FIFO queue'],
    ['sqs', 'Throughput per FIFO queue'],
    ['scheduler', 'CreateScheduleGroup request rate'],
    ['scheduler', 'Number of schedule groups'],
  ])('of %s is not "%s"', async (service, name) => {
    named(service, [name]);
    expect((await diagnoseAccount()).text).not.toContain(name);
  });

  test('is looked for on every page, and then among the defaults of AWS', async () => {
    named('scheduler', ['a'], ['b', 'Number of schedules']);
    serviceQuotas
      .on(ListAWSDefaultServiceQuotasCommand, { ServiceCode: 'scheduler' })
      .resolves({ Quotas: [quotaOf('CreateSchedule request rate', 250)] });
    const lines = await linesOf('EventBridge Scheduler');
    expect(lines).toEqual([
      expect.stringContaining(': 250 requests a second. It limits no setting of a stage'),
      '  EventBridge Scheduler, Invocations throttle limit: AWS lists no quota of this name, so it is not checked; look in the console under Service Quotas. It limits no setting of a stage, but how many timers start in one second; the others start late.',
      expect.stringContaining(': 1 schedules. It limits limits.sources of all users together'),
    ]);
  });

  test('ends the search of a list that has no end', async () => {
    serviceQuotas.on(ListServiceQuotasCommand).resolves({ Quotas: [], NextToken: 'again' });
    await diagnoseAccount();
    expect(serviceQuotas.commandCalls(ListServiceQuotasCommand)).toHaveLength(4 * 20);
  });
});

test('a missing right is one sentence for all quotas that it refuses, and the doctor goes on', async () => {
  serviceQuotas.on(GetServiceQuotaCommand).rejects(refused('servicequotas:GetServiceQuota'));
  serviceQuotas.on(ListServiceQuotasCommand, { ServiceCode: 'sqs' }).rejects(new Error('No such host'));
  const { json, text, isFailed } = await diagnoseAccount({ stage: 'prod' });
  expect(isFailed).toBe(false);
  const rights =
    'The doctor needs servicequotas:GetServiceQuota, GetAWSDefaultServiceQuota, ListServiceQuotas and ListAWSDefaultServiceQuotas.';
  expect(text).toContain(
    [
      `The quotas of Amazon API Gateway, Amazon DynamoDB cannot be read: You may not call servicequotas:GetServiceQuota. ${rights}`,
      `The quotas of Amazon Simple Queue Service cannot be read: No such host.`,
    ].join('\n'),
  );
  expect(text).toContain('EventBridge Scheduler, Number of schedules: AWS lists no quota of this name');
  expect(json).toMatchObject({
    quotas: [
      { refusal: `You may not call servicequotas:GetServiceQuota. ${rights}` },
      {},
      {},
      { refusal: expect.any(String) as string },
      {},
      {},
      {},
    ],
  });
});
