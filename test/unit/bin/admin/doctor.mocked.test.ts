import { ListStackResourcesCommand, ValidateTemplateCommand } from '@aws-sdk/client-cloudformation';
import { DescribeAlarmHistoryCommand, DescribeAlarmsCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeLogStreamsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetAccountSettingsCommand, GetFunctionConfigurationCommand, InvokeCommand } from '@aws-sdk/client-lambda';
import {
  CreateScheduleCommand,
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  GetScheduleGroupCommand,
} from '@aws-sdk/client-scheduler';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Refuted, Unused } from '../../../../bin/admin/doctor/checks/claim.ts';
import { functionChecks } from '../../../../bin/admin/doctor/checks/function-checks.ts';
import { queueChecks } from '../../../../bin/admin/doctor/checks/queue-checks.ts';
import { runnerChecks } from '../../../../bin/admin/doctor/checks/runner-checks.ts';
import { scheduleChecks } from '../../../../bin/admin/doctor/checks/schedule-checks.ts';
import { stackChecks } from '../../../../bin/admin/doctor/checks/stack-checks.ts';
import { diagnose } from '../../../../bin/admin/doctor/doctor-command.ts';
import { DoctorInput } from '../../../../bin/admin/doctor/doctor-words.ts';
import { diagnoseMachine, type ServiceFindings } from '../../../../bin/admin/doctor/doctor-machine.ts';
import { withoutSecrets } from '../../../../bin/admin/doctor/doctor-stack.ts';
import { createSubject, type Subject } from '../../../../bin/admin/doctor/doctor-subject.ts';
import { namesFrom } from '../../../../bin/admin/names.ts';
import { operatorOf } from '../../../../bin/admin/operator.ts';
import { createUser, deleteUser } from '../../../../bin/admin/commands/user-commands.ts';
import { VERSION } from '../../../../shared/domain/version.ts';
import { LEVELS } from '../../../../infra/embedded/isolation/levels.ts';
import { runCommand } from '../../../support/command.ts';
import { cloudFormation, cloudWatch, cloudWatchLogs, lambda, outputs, resetAws, scheduler, sqs } from './aws.ts';

beforeEach(resetAws);

const none = () => Promise.resolve(undefined);

const operate = () => Promise.reject(new Error('The doctor asks no service'));
const diagnoseAccountOf = (options: object) =>
  diagnose(DoctorInput.parse({ account: true, ...options }), { env: {}, operate });

describe('a command line', () => {
  test.each([
    ['doctor --dir x', "Unknown option '--dir'."],
    ['doctor --stage dev', '--stage needs --account.'],
    ['doctor --account --stack Mine', 'Give one of --account and --stack.'],
    ['doctor --account=1', "Unknown option '--account=…'. Did you mean --account?"],
    ['doctor --account --stage', "Option '--stage <name>' argument missing."],
    ['doctor --account --stage=', '--stage is empty.'],
    ['users list --account', "Unknown option '--account'."],
  ])('%s is wrong use: %s', async (line, sentence) => {
    const ended = await runCommand(['admin', ...line.split(' ')], { operate });
    expect(ended).toEqual({ code: 2, out: '', error: `${sentence}\n` });
  });

  test('names a stage that does not exist', async () => {
    await expect(diagnoseAccountOf({ stage: 'nowhere' })).rejects.toThrow('there is no stage "nowhere"');
  });
});

const findings = {
  redirect_address: 'http://127.0.0.1:3000/connect/callback',
  clients: [],
  accounts: { connected: 1, expiring: 0, needs_reconnect: 0 },
  examples: [],
};

const serviceWith = (found: Partial<ServiceFindings>) => () =>
  Promise.resolve({
    deadLetters: { queues: {}, unreadable: 0 },
    oauth: findings,
    unreadable: [],
    runningVersion: VERSION,
    ...found,
  });
const machineWith = (found: Partial<ServiceFindings>) =>
  diagnoseMachine({ isolation: undefined, dataDir: '.', service: serviceWith(found) });

describe('this machine', () => {
  test('shows OAuth clients that do not work, which fails the command, and accounts that are not in order', async () => {
    const oauth = {
      ...findings,
      clients: [
        { apps: ['github'], problem: null },
        { apps: ['zoom', 'zoom_admin'], problem: 'its secret cannot be decrypted' },
      ],
      accounts: { connected: 1, expiring: 0, needs_reconnect: 12 },
      examples: [{ id: 'apn_1', owner: 'u_1', app: 'github', status: 'needs_reconnect', reason: 'Revoked.' }],
    };
    const unreadable = [{ id: 'apn_2', reason: 'app: is needed' }];
    const deadLetters = { queues: {}, unreadable: 0 };
    const service = () => Promise.resolve({ deadLetters, oauth, unreadable, runningVersion: VERSION });
    const { json, text, isFailed, ...named } = await diagnoseMachine({
      isolation: undefined,
      dataDir: 'here',
      service,
    });
    expect(json).toMatchObject({ oauth });
    expect(named).toEqual({ unreadable });
    expect(isFailed).toBe(true);
    expect(text).toContain(
      [
        'Redirect address of OAuth clients: http://127.0.0.1:3000/connect/callback',
        'OAuth clients: 2',
        '  zoom, zoom_admin: its secret cannot be decrypted',
        'Accounts connected by signing in: 1 connected, 0 expiring, 12 needs_reconnect',
        '  apn_1 of u_1, github: needs_reconnect: Revoked.',
        '  and 11 more',
      ].join('\n'),
    );
  });

  test('names the queues that have dead letters, and how many cannot be read', async () => {
    const deadLetters = { queues: { runs: 2, retries: 1 }, unreadable: 1 };
    const service = serviceWith({ deadLetters });
    const { json, text, isFailed } = await diagnoseMachine({
      isolation: undefined,
      dataDir: 'here',
      service,
    });
    expect(isFailed).toBe(false);
    expect(json).toMatchObject({ dead_letters: { queues: { runs: 2, retries: 1 }, unreadable: 1 } });
    expect(text).toContain('Dead letters: 2 of runs, 1 of retries; 1 of them cannot be read by this release');
  });

  test('shows that the service runs, with its version, or how to start it', async () => {
    const running = await machineWith({});
    expect(running.text).toContain(`Version: ${VERSION}\nService: runs, version ${VERSION}\n`);
    expect(running).toMatchObject({ isFailed: false, json: { service: { runs: true, version: VERSION } } });
    const stopped = await machineWith({ runningVersion: undefined });
    expect(stopped.text).toContain('Service: does not run: `tributary start` starts it\n');
    expect(stopped).toMatchObject({ isFailed: false, json: { service: { runs: false, version: null } } });
    const unused = await diagnoseMachine({ isolation: undefined, dataDir: '.', service: none });
    expect(unused.text).toContain('Service: has not used this data directory yet: `tributary start` starts it\n');
  });

  test('fails when the service that runs is of another release, and says how to mend it', async () => {
    const { text, isFailed } = await machineWith({ runningVersion: '0.0.9' });
    expect(isFailed).toBe(true);
    expect(text).toContain(
      `Service: runs, version 0.0.9, but this command is of ${VERSION}: restart the service with this release, or use the command of 0.0.9\n`,
    );
  });

  test('shows the free disk, and fails when there is too little of it', async () => {
    const enough = await machineWith({});
    expect(enough.text).toMatch(/^Free disk: \d+\.\d GB$/m);
    const { text, isFailed, json } = await diagnoseMachine({
      isolation: undefined,
      dataDir: '.',
      service: serviceWith({}),
      space: { freeBytes: 4_096, isLow: true },
    });
    expect(json).toMatchObject({ free_bytes: 4_096 });
    expect(isFailed).toBe(true);
    expect(text).toContain('Free disk: 0.0 GB, too little: new events and uploads are refused. Free space on');
  });

  test('is described by versions, Node, the isolation level and the data directory', async () => {
    const { json, text } = await diagnoseMachine({
      isolation: undefined,
      dataDir: 'here',
      service: none,
    });
    expect(json).toEqual({
      version: VERSION,
      service: { runs: false, version: null },
      node: process.version,
      isolation: expect.toSatisfy((level) => LEVELS.includes(level as never)) as string,
      data_dir: resolve('here'),
      free_bytes: null,
    });
    expect(text).toContain(`Node.js: ${process.version}\nIsolation: `);
    expect(text).toContain(`Data directory: ${resolve('here')}`);
  });

  test('a level that is not the strongest says how to get it', async () => {
    const { text } = await diagnoseMachine({ isolation: 'process', dataDir: '.data', service: none });
    expect(text).toContain('A stronger level needs bubblewrap');
  });
});

const allow = (executions: number, unreserved = executions) =>
  lambda.on(GetAccountSettingsCommand).resolves({
    AccountLimit: { ConcurrentExecutions: executions, UnreservedConcurrentExecutions: unreserved },
  });

describe('an account', () => {
  test.each([
    [10, 'small', { small: [10, true, 0], standard: [625, false, 0] }],
    [9, null, { small: [10, false, 0], standard: [625, false, 0] }],
    [624, 'small', { small: [10, true, 614], standard: [625, false, 0] }],
    [1_000, 'standard', { small: [10, true, 990], standard: [625, true, 375] }],
  ])('with %i executions fits %s', async (executions, recommended, expected) => {
    allow(executions);
    const { json } = await diagnoseAccountOf({});
    expect(json).toEqual({
      region: 'eu-west-1',
      concurrent_executions: executions,
      unreserved: executions,
      tenant_environments: Math.floor(executions * 2.5),
      lacks_budgets: false,
      recommended,
      needs: Object.entries(expected).map(([name, [needs, fits, left]]) => ({ name, needs, fits, left })),
      quotas: expect.any(Array) as unknown[],
    });
  });

  test('shows the sum of each preset', async () => {
    allow(1_000, 700);
    const { text, isFailed } = await diagnoseAccountOf({});
    expect(text.split('\n').slice(0, 5)).toEqual([
      'Lambda allows this account 1000 concurrent executions in eu-west-1; 700 are not reserved for single functions.',
      '  small: 2 runs × (1 + 1 runners) + 2 deliveries + 2 retries + 2 timers = 10: fits, and leaves 690 for requests.',
      '  standard: 50 runs × (1 + 10 runners) + 50 deliveries + 20 retries + 5 timers = 625: fits, and leaves 75 for requests.',
      'Sources of isolated tenants: 2500 environments at the same time, idle ones included.',
      'Use "concurrency": "standard".',
    ]);
    expect(isFailed).toBe(false);
  });

  test('fails for a stage that needs more', async () => {
    cloudFormation.on(ValidateTemplateCommand).resolves({});
    allow(10);
    const { text, isFailed } = await diagnoseAccountOf({ stage: 'prod' });
    expect(text).toContain('  prod: 50 runs × (1 + 10 runners) + 50 deliveries + 20 retries + 5 timers = 625');
    expect(text).toContain('does not fit: 615 too many.');
    expect(isFailed).toBe(true);
    const ended = await runCommand(['admin', 'doctor', '--account', '--stage', 'prod']);
    expect(ended).toEqual({ code: 1, out: `${text}\n`, error: '' });
    allow(1_000);
    expect((await diagnoseAccountOf({ stage: 'prod' })).isFailed).toBe(false);
  });

  test.each([
    ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
    ['CredentialsProviderError', 'Could not load credentials from any providers'],
    ['AccessDeniedException', 'You may not call lambda:GetAccountSettings\nbecause of a policy'],
  ])('%s is one sentence', async (name, message) => {
    lambda.on(GetAccountSettingsCommand).rejects(Object.assign(new Error(message), { name }));
    const attempt = diagnoseAccountOf({});
    await expect(attempt).rejects.toThrow(/^The limits of the account cannot be read: [^\n]*[^.\n]\.$/);
  });
});

const resource = (ResourceType: string, LogicalResourceId: string) => ({
  ResourceType,
  LogicalResourceId,
  PhysicalResourceId: `the-${LogicalResourceId}`,
  LastUpdatedTimestamp: new Date(0),
  ResourceStatus: 'CREATE_COMPLETE' as const,
});

const unknownType = Object.assign(
  new Error('Template format error: Unrecognized resource types: [AWS::Budgets::Budget]'),
  { name: 'ValidationError' },
);

describe('a stage with a budget', () => {
  beforeEach(() => allow(1_000));

  test('fails in a region where CloudFormation has no budgets', async () => {
    cloudFormation.on(ValidateTemplateCommand).rejects(unknownType);
    const { json, text, isFailed } = await diagnoseAccountOf({ stage: 'prod' });
    expect(json).toMatchObject({ lacks_budgets: true });
    expect(text).toContain(
      'CloudFormation has no budgets in eu-west-1: leave out "budget", and create one in AWS Budgets.',
    );
    expect(isFailed).toBe(true);
    expect((await diagnoseAccountOf({ stage: 'dev' })).isFailed).toBe(false);
  });

  test('needs an answer of CloudFormation', async () => {
    cloudFormation.on(ValidateTemplateCommand).rejects(new Error('You may not'));
    await expect(diagnoseAccountOf({ stage: 'prod' })).rejects.toThrow(
      'CloudFormation cannot be asked about budgets: You may not.',
    );
  });
});

describe('a deployed stack', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
  });
  const subject = (deliveryAddresses: string[] = []) =>
    createSubject({
      stackName: 'Ours',
      api: 'https://api.example.org/v1',
      deliveryAddresses,
      operator: operatorOf(namesFrom(outputs)),
      sleep(ms) {
        now += ms;
        return Promise.resolve();
      },
    });
  const respondTo = (name: string, asked = subject()) => {
    const check = [...functionChecks, ...queueChecks, ...runnerChecks, ...scheduleChecks, ...stackChecks].find(
      (each) => each.name === name,
    );
    if (!check) throw new Error(`There is no check ${name}.`);
    return check.ask(asked);
  };
  const functionLike = {
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    TenancyConfig: { TenantIsolationMode: 'PER_TENANT' },
  } as const;

  test('has functions of the right runtime, architecture and isolation', async () => {
    lambda.on(GetFunctionConfigurationCommand).resolves({ ...functionLike, Architectures: ['arm64'] });
    expect(await respondTo('functions')).toBe('nodejs24.x, arm64, PER_TENANT');
    lambda.on(GetFunctionConfigurationCommand).resolves({ Runtime: 'nodejs24.x', Architectures: ['x86_64'] });
    await expect(respondTo('functions')).rejects.toThrow('The architecture is x86_64');
    lambda.on(GetFunctionConfigurationCommand).resolves({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    await expect(respondTo('functions')).rejects.toThrow('The tenant isolation is undefined');
  });

  test('connects to other services from the addresses of its network', async () => {
    await expect(respondTo('addresses')).rejects.toThrow(Unused);
    const asked = subject(['198.51.100.7']);
    vi.spyOn(asked, 'mirror').mockResolvedValue({ endpoint: 'https://a.test' } as Awaited<
      ReturnType<Subject['mirror']>
    >);
    const seen = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => seen.mockRestore());
    const from = (address: string) =>
      seen.mockResolvedValue(new Response(`{"path":"/","headers":{},"answer":"${address}"}`));
    from('198.51.100.7');
    expect(await respondTo('addresses', asked)).toBe('198.51.100.7');
    from('203.0.113.9');
    await expect(respondTo('addresses', asked)).rejects.toThrow('from 203.0.113.9, not from 198.51.100.7');
  });

  test('has a queue with the limits that the service relies on', async () => {
    const attributes = {
      FifoThroughputLimit: 'perMessageGroupId',
      DeduplicationScope: 'messageGroup',
      MaximumMessageSize: '1048576',
    };
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes: attributes });
    expect(await respondTo('fifo')).toBe('perMessageGroupId, messageGroup, 1048576 bytes');
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes: { ...attributes, MaximumMessageSize: '262144' } });
    await expect(respondTo('fifo')).rejects.toThrow('MaximumMessageSize is 262144');
  });

  test('refuses an invocation without a tenant', async () => {
    await expect(respondTo('tenant-required')).rejects.toThrow('It accepted one');
    lambda.on(InvokeCommand).rejects(Object.assign(new Error('Tenant'), { name: 'InvalidParameterValueException' }));
    expect(await respondTo('tenant-required')).toBe('InvalidParameterValueException');
    lambda.on(InvokeCommand).rejects(Object.assign(new Error('No'), { name: 'AccessDeniedException' }));
    await expect(respondTo('tenant-required')).rejects.toThrow('No');
  });

  test('needs the executions that its stage assumes, and as many unreserved ones as its queues use', async () => {
    allow(10);
    expect(await respondTo('concurrency')).toBe(
      '2 runs × (1 + 1 runners) + 2 deliveries + 2 retries + 2 timers = 10 of 10 unreserved of 10, 25 environments of tenants',
    );
    allow(9);
    await expect(respondTo('concurrency')).rejects.toThrow(
      'The account allows 9 concurrent executions, and the stage assumes 10',
    );
    allow(1_000, 9);
    await expect(respondTo('concurrency')).rejects.toThrow(
      /^The queues use 2 runs .* = 10, and 9 are not reserved for single functions$/,
    );
  });

  test('is in a region where CloudFormation has budgets', async () => {
    cloudFormation.on(ValidateTemplateCommand).resolves({});
    expect(await respondTo('budget')).toBe('AWS::Budgets::Budget is a resource type');
    cloudFormation.on(ValidateTemplateCommand).rejects(unknownType);
    await expect(respondTo('budget')).rejects.toThrow(Refuted);
    cloudFormation.on(ValidateTemplateCommand).rejects(new Error('You may not'));
    await expect(respondTo('budget')).rejects.toThrow('You may not');
  });

  test('has a stream in the log group of each function and API that a request to an endpoint uses', async () => {
    const groups = ['SourcesLogs', 'IngressFunctionLogs', 'PublicApiAccessLog'];
    const deployed = Object.assign(subject(), { mirror: () => Promise.resolve({ endpoint: '' }) });
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ path: '/logs', headers: {} })));
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    cloudFormation.on(ListStackResourcesCommand).resolves({
      StackResourceSummaries: [...groups, 'UsersLogs', 'RunnerLogs'].map((id) => resource('AWS::Logs::LogGroup', id)),
    });
    const [logs] = stackChecks;
    cloudWatchLogs.on(DescribeLogStreamsCommand).resolves({ logStreams: [] });
    await expect(logs?.ask(deployed)).rejects.toThrow(
      new Refuted(`Nothing was written to ${groups.join(', ')} (functions need the logLevel info or debug)`),
    );
    cloudWatchLogs
      .on(DescribeLogStreamsCommand)
      .resolvesOnce({ logStreams: [] })
      .resolves({ logStreams: [{}] });
    expect(await logs?.ask(deployed)).toBe('3 log groups have streams');
    const nested = Object.assign(deployed, { stackName: 'Ours_Events' });
    cloudFormation.on(ListStackResourcesCommand).resolves({
      StackResourceSummaries: [...groups.flatMap((id) => [`Audits${id}`, `Events${id}`]), 'EventsUsersLogs'].map((id) =>
        resource('AWS::Logs::LogGroup', id),
      ),
    });
    expect(await logs?.ask(nested), 'those of the construct only').toBe('3 log groups have streams');
  });

  describe('with alarms', () => {
    const alarmsAre = (...states: ['ALARM' | 'OK', string[]][]) => {
      cloudFormation.on(ListStackResourcesCommand).resolves({
        StackResourceSummaries: states.map((_, n) => resource('AWS::CloudWatch::Alarm', `Alarm${n}`)),
      });
      cloudWatch.on(DescribeAlarmsCommand).resolves({
        MetricAlarms: states.map(([StateValue, AlarmActions], n) => ({
          AlarmName: `the-Alarm${n}`,
          StateValue,
          AlarmActions,
        })),
      });
    };
    /** The history after the state is set: it has one notification more. */
    const historyIs = (...summaries: string[]) => {
      const items = ['Failed to execute action one', ...summaries].map((HistorySummary, n) => ({
        HistorySummary,
        Timestamp: new Date(n),
      }));
      cloudWatch
        .on(DescribeAlarmHistoryCommand)
        .callsFake(() => ({ AlarmHistoryItems: isSet() ? items : items.slice(0, 1) }));
      cloudWatch.resetHistory();
    };
    const isSet = () => cloudWatch.commandCalls(SetAlarmStateCommand).length > 0;

    test('has topics that CloudWatch may publish to: one alarm that is quiet notifies all of its topics', async () => {
      alarmsAre(['ALARM', ['one', 'two']], ['OK', ['one', 'two']]);
      historyIs('Successfully executed action one', 'Successfully executed action two');
      expect(await respondTo('alarms')).toBe('an alarm notified 2 topics');
      expect(cloudWatch.commandCalls(SetAlarmStateCommand).map(({ args }) => args[0].input)).toMatchObject([
        { AlarmName: 'the-Alarm1', StateValue: 'ALARM' },
      ]);
      historyIs('Successfully executed action one', 'Failed to execute action two');
      await expect(respondTo('alarms')).rejects.toThrow(new Refuted('Failed to execute action two'));
      historyIs('Successfully executed action one');
      await expect(respondTo('alarms')).rejects.toThrow(new Refuted('The alarm notified nobody within 60 s'));
    });

    const snsResponds = (text: string) =>
      vi.stubGlobal(
        'fetch',
        vi.fn(() => Promise.resolve(new Response(text))),
      );
    const confirmed = (count: number) =>
      `<entry><key>SubscriptionsPending</key><value>1</value></entry><entry><key>SubscriptionsConfirmed</key><value>${count}</value></entry>`;

    test('has a confirmed subscriber for each topic; one that only waits for its confirmation counts as none', async () => {
      onTestFinished(() => void vi.unstubAllGlobals());
      alarmsAre(['ALARM', ['arn:aws:sns:eu-west-1:123456789012:one']], ['OK', []]);
      snsResponds(confirmed(2));
      expect(await respondTo('subscribers')).toBe('2 confirmed');
      expect(vi.mocked(fetch).mock.calls.map(([address, request]) => [address, request?.body])).toEqual([
        [
          'https://sns.eu-west-1.amazonaws.com',
          'Action=GetTopicAttributes&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A123456789012%3Aone',
        ],
      ]);
      snsResponds(confirmed(0));
      await expect(respondTo('subscribers')).rejects.toThrow(
        new Refuted('1 of 1 topics have none: open the link in the mail of AWS, or subscribe'),
      );
      snsResponds('<ErrorResponse><Error><Message>not authorized</Message></Error></ErrorResponse>');
      await expect(respondTo('subscribers')).rejects.toThrow('SNS does not tell the subscribers: not authorized');
      alarmsAre(['OK', []]);
      await expect(respondTo('subscribers')).rejects.toThrow(Unused);
    });

    test('uses no topic without one, and leaves the claim open while every alarm rings', async () => {
      alarmsAre(['OK', []]);
      await expect(respondTo('alarms')).rejects.toThrow(Unused);
      alarmsAre(['ALARM', ['one']]);
      await expect(respondTo('alarms')).rejects.toThrow(new Error('Every alarm is in the state ALARM'));
      expect(cloudWatch.commandCalls(SetAlarmStateCommand)).toEqual([]);
    });
  });

  describe('with schedules', () => {
    test('has a role that Scheduler does not take for another group', async () => {
      const refusal = 'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.';
      scheduler.on(CreateScheduleCommand).rejects(new Error(refusal));
      expect(await respondTo('trust')).toBe('a schedule of the group default was refused');
      expect(scheduler.commandCalls(CreateScheduleCommand)[0]?.args[0].input).toMatchObject({
        GroupName: 'default',
        Target: {
          Arn: 'arn:aws:sqs:eu-west-1:123456789012:the-timers',
          RoleArn: 'arn:aws:iam::123456789012:role/the-schedules-role',
        },
      });
      scheduler.on(CreateScheduleCommand).rejects(new Error('You may not'));
      await expect(respondTo('trust')).rejects.toThrow(new Error('You may not'));
      scheduler.on(CreateScheduleCommand).resolves({});
      scheduler.on(DeleteScheduleCommand).resolves({});
      await expect(respondTo('trust')).rejects.toThrow(Refuted);
      expect(scheduler.commandCalls(DeleteScheduleCommand)).toHaveLength(1);
    });

    test('may be created again: the name of a deleted group is free', async () => {
      const named = (name: string) => Object.assign(new Error(name), { name });
      scheduler.on(DeleteScheduleGroupCommand).resolves({});
      scheduler.on(CreateScheduleGroupCommand).resolves({});
      scheduler
        .on(GetScheduleGroupCommand)
        .resolvesOnce({ State: 'DELETING' })
        .rejects(named('ResourceNotFoundException'));
      expect(await respondTo('group-name')).toBe('a group was created again under its name');
      expect(now).toBe(1_000);
      const names = scheduler.calls().map(({ args }) => Reflect.get(args[0].input, 'Name') as unknown);
      expect(new Set(names).size).toBe(1);
      scheduler.reset();
      scheduler.on(CreateScheduleGroupCommand).resolvesOnce({}).rejects(named('ConflictException'));
      scheduler.on(DeleteScheduleGroupCommand).resolves({});
      scheduler.on(GetScheduleGroupCommand).rejects(named('ResourceNotFoundException'));
      await expect(respondTo('group-name')).rejects.toThrow(new Refuted('The name is still taken'));
      scheduler.on(CreateScheduleGroupCommand).resolves({});
      scheduler.on(GetScheduleGroupCommand).resolves({ State: 'DELETING' });
      await expect(respondTo('group-name')).rejects.toThrow(new Refuted('The group was still there after 120 s'));
    });
  });

  test('loses every user of the doctor, also when one cannot be deleted', async () => {
    const ids = ['u_0000000000000000000000000', 'u_1111111111111111111111111'];
    const create = vi.spyOn(createUser, 'run');
    for (const id of ids) create.mockResolvedValueOnce({ json: { id, api_key: 'key' }, text: '' });
    const left = new Set(ids);
    vi.spyOn(deleteUser, 'run')
      .mockRejectedValueOnce(new Error('throttled'))
      .mockImplementationOnce(async (_, { user }) => {
        await setImmediate();
        left.delete(String(user));
        return { json: {}, text: '' };
      });
    const examined = subject();
    await examined.user(0);
    await examined.user(1);
    await expect(examined.close()).rejects.toThrow('throttled');
    expect([...left]).toEqual(ids.slice(0, 1));
  });

  test('is described without addresses, accounts, keys and ids', () => {
    const text = [
      'arn:aws:kms:eu-west-1:123456789012:key/a-b refused',
      'of 123456789012 at https://abc.execute-api.eu-west-1.amazonaws.com/v1?x=y',
      `AKIAABCDEFGHIJKLMNOP ${Buffer.alloc(32, 7).toString('base64url')} u_0mw000000aaaaaaaaaaaaaaa`,
    ].join('; ');
    expect(withoutSecrets(text)).toBe('[arn] refused; of [account] at [address] [key] [key] [id]');
  });
});
