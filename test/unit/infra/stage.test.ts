import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sizing } from '../../../infra/sizing.ts';
import { readStage, StageError } from '../../../infra/read-stage.ts';
import { Stage } from '../../../infra/stage.ts';
import { runnerMemoryMb } from '../../../shared/domain/runner/runner-memory.ts';
import { BATCH_WORK_MS, FIRST_ATTEMPTS_MS } from '../../../shared/domain/time-limits.ts';
import { FIRST_TIMEOUT_MS } from '../../../shared/service/delivery/http-target.ts';

const { functions, queues } = sizing;
const limits = (input: object) => ({ limits: input });
const domain = {
  api: 'api.mine.test',
  ingress: 'in.mine.test',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1',
};
const adopt = { table: 'mine', bucket: 'mine', keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1' };
const manyTags = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag${index}`, 'a']));

describe('a stage', () => {
  test('is an object or its JSON text, and what it leaves out has its default', () => {
    expect(readStage({ stackName: 'Mine' })).toEqual({ ...readStage(), stackName: 'Mine' });
    expect(readStage('{"stackName":"Mine"}').stackName).toBe('Mine');
    const longer = readStage(limits({ runTimeoutMs: 240_000, runMemoryMb: 1_536 })).limits;
    expect(longer).toEqual({ ...readStage().limits, runTimeoutMs: 240_000, runMemoryMb: 1_536 });
    expect(readStage({ concurrency: { runs: 9 } }).concurrency).toEqual({
      account: 1_000,
      runs: 9,
      runnersPerBatch: 1,
      deliveries: 2,
      retries: 2,
      timers: 2,
    });
    expect(readStage({ throttle: { rate: 9 } }).throttle).toEqual({ rate: 9, burst: 90 });
  });

  test.each([
    ['small', 1, { rate: 45, burst: 90 }],
    [{ runs: 9 }, 8, { rate: 202, burst: 404 }],
    ['standard', 20, { rate: 2_000, burst: 4_000 }],
  ])(
    '%j has a throttle that its runs keep up with, and long runs of one user leave one to others',
    (concurrency, concurrentRuns, throttle) => {
      const stage = readStage({ concurrency });
      expect(stage.limits.concurrentRuns).toBe(concurrentRuns);
      expect(stage.throttle).toEqual(throttle);
    },
  );

  test('leaves a fifth of a high throttle to other users', () => {
    const rate = (input: object) => readStage(input).limits.userRequestRate;
    expect(rate({})).toBe(1_600);
    expect(rate({ concurrency: 'standard' })).toBe(1_600);
    expect(rate({ concurrency: 'standard', throttle: { rate: 5_000 } })).toBe(4_000);
    expect(rate({ concurrency: 'standard', throttle: { rate: 5_000 }, limits: { userRequestRate: 1 } })).toBe(1);
  });

  test('is the same when it is read again, as `npm start` does', () => {
    for (const stage of [readStage('dev'), readStage('prod'), readStage()])
      expect(Stage.parse(JSON.parse(JSON.stringify(stage)))).toEqual(stage);
  });

  test('bounds what a free user can cost: a day of the default quotas stays below $12', () => {
    const { freeInvocations, freeComputeMs } = readStage().limits;
    // Prices of docs/costs.md: a million events at low traffic, and a GB-second of Lambda. The worker waits for the
    // runner.
    const { limits: perUser, warmRunners } = readStage();
    const gb = (runnerMemoryMb({ ...perUser, warmRunners }) + functions['run-source'].memoryMb) / 1_024;
    const dollars = (freeInvocations / 1e6) * 8.5 + (freeComputeMs / 1_000) * gb * 0.0000133334;
    expect(dollars).toBeLessThan(12);
    expect(dollars).toBeGreaterThan(1);
  });

  test.each([
    [limits({ runTimeoutMs: 240_001 }), 'stage.limits.runTimeoutMs must be at most 240000 ms, so'],
    [limits({ runTimeoutMs: 60 }), 'stage.limits.runTimeoutMs must be at least 1000 ms'],
    [limits({ runTimeoutMs: '60s' }), 'stage.limits.runTimeoutMs must be milliseconds'],
    [limits({ runMemoryMb: 1_537 }), 'stage.limits.runMemoryMb must be at most 1536 MB, so'],
    [limits({ runMemoryMb: 8 }), 'stage.limits.runMemoryMb must be at least 64 MB'],
    [limits({ sources: -1 }), 'stage.limits.sources must be at least 0'],
    [limits({ runTimeout: 60 }), 'stage.limits.runTimeout: no such setting. There are sources, components,'],
    [{ stackname: 'Mine' }, 'stage.stackname: no such setting. There are stackName,'],
    [{ concurrency: { run: 4 } }, 'stage.concurrency.run: no such setting. There are account, runs,'],
    [{ throttle: { rps: 4 } }, 'stage.throttle.rps: no such setting. There are rate, burst.'],
    [{ concurrency: { runs: 1 } }, 'stage.concurrency.runs must be at least 2.'],
    [{ concurrency: 4 }, 'stage.concurrency must be small, standard or an object.'],
    [{ concurrency: 'large' }, 'stage.concurrency must be small, standard or an object.'],
    [{ concurrency: { runnersPerBatch: 11 } }, 'stage.concurrency.runnersPerBatch must be at most 10.'],
    [{ throttle: { rate: 0 } }, 'stage.throttle.rate must be more than 0.'],
    [{ networkAllowList: ['10.0.0.1'] }, 'stage.networkAllowList.0 must be a CIDR block, such as 10.1.0.0/16.'],
    [{ npmRegistry: 'npm' }, 'stage.npmRegistry must be a URL.'],
    [{ componentHosts: { a: 'b' } }, 'stage.componentHosts.a must be an origin, such as https://mirror.example.'],
    [{ runnerHosts: { a: 'b' } }, 'stage.runnerHosts.a must be host:port.'],
    [{ logLevel: 'all' }, 'stage.logLevel must be debug, info, warn or error.'],
    [{ isolation: 'none' }, 'stage.isolation must be source or user.'],
    [
      { targets: ['arn:aws:sns:*:*:all'] },
      'stage.targets.0 must be ARNs of event buses, queues of SQS or roles, in which * stands for any text.',
    ],
    [
      { targets: ['*'] },
      'stage.targets.0 must be ARNs of event buses, queues of SQS or roles, in which * stands for any text.',
    ],
    [
      { targets: Array.from({ length: 32 }, (_, n) => `arn:aws:sqs:eu-west-1:111122223333:q${n}`) },
      'stage.targets must have at most 1200 characters together, because the variables of a function have 4 KB: use *.',
    ],
    [{ allowPrivateNetwork: 1 }, 'stage.allowPrivateNetwork must be true or false.'],
    [{ stackName: '1' }, 'stage.stackName must be a letter, then'],
    ['{stackName: "Mine"}', 'stage: must be JSON, for example'],
    [[], 'stage must be an object.'],
    [{ stackName: 7 }, 'stage.stackName must be a letter, then'],
    [{ tags: { 'aws:team': 'a' } }, 'stage.tags.aws:team must not be empty and must not begin with aws:.'],
    [{ tags: { team: 'a;b' } }, 'stage.tags.team must be letters, digits, spaces and'],
    [{ tags: { team: 'a'.repeat(257) } }, 'stage.tags.team must have at most 256 characters.'],
    [{ tags: manyTags(50) }, 'stage.tags must have at most 49 entries.'],
    [{ terminationProtection: 'yes' }, 'stage.terminationProtection must be true or false.'],
    [{ retention: { data: 'keep' } }, 'stage.retention.data must be retain or delete.'],
    [{ retention: { logDays: 31 } }, 'stage.retention.logDays must be one of 1, 3, 5, 7, 14, 30,'],
    [{ retention: 30 }, 'stage.retention must be an object.'],
    [{ domain: { ...domain, api: 'https://api.mine.test' } }, 'stage.domain.api must be a host name in lower'],
    [{ domain: { ...domain, certificateArn: 'mine' } }, 'stage.domain.certificateArn must be the ARN of a'],
    [{ domain: { api: 'api.mine.test' } }, 'stage.domain.ingress must be a host name in lower case, such as'],
    [{ domain: { ...domain, zone: 'Z1' } }, 'stage.domain.zone: no such setting. There are api, ingress,'],
    [{ adopt: { table: 'mine' } }, 'stage.adopt.bucket must be the name of a bucket.'],
    [{ adopt: { ...adopt, keyArn: 'alias/mine' } }, 'stage.adopt.keyArn must be the ARN of a key of KMS.'],
    [{ alarmTopicArn: 'topic' }, 'stage.alarmTopicArn must be the ARN of an SNS topic.'],
    [{ alarmEmail: 'me' }, 'stage.alarmEmail must be an e-mail address.'],
    [{ budget: { monthlyUsd: 0, email: 'me@mine.test' } }, 'stage.budget.monthlyUsd must be at least 1.'],
    [{ budget: { monthlyUsd: 10 } }, 'stage.budget.email must be an e-mail address.'],
  ])('%j is refused: %s', (context, message) => {
    expect(() => readStage(context)).toThrow(StageError);
    expect(() => readStage(context)).toThrow(message);
  });
});

describe('the name of a stage', () => {
  test('names a file of infra/stages', () => {
    expect(readStage('prod')).toMatchObject({ stackName: 'Tributary', terminationProtection: true });
    expect(readStage('dev')).toMatchObject({ stackName: 'TributaryDev', retention: { data: 'delete' } });
  });

  const folder = mkdtempSync(join(tmpdir(), 'tributary-stages-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'mine.json'), '{"stackName": Mine}');
  writeFileSync(join(folder, 'yours.json'), '{}');

  test.each(['your', '../stages/yours', 'yours.json', ''])('%j is no stage: the sentence lists them', (name) => {
    expect(() => readStage(name, folder)).toThrow(
      `stage: there is no stage ${JSON.stringify(name)}. There are mine, yours: each is a file of infra/stages.`,
    );
  });

  test('is refused with a sentence when the file is not JSON', () => {
    expect(() => readStage('mine', folder)).toThrow('stage: infra/stages/mine.json must be JSON.');
  });
});

describe('settings that do not fit each other are refused', () => {
  test.each([
    [
      { concurrency: { account: 100, runs: 50, timers: 5 } },
      'stage.concurrency needs 109 concurrent executions, but stage.concurrency.account allows 100: lower runs,',
    ],
    [
      { concurrency: { account: 29, runs: 2, runnersPerBatch: 10, deliveries: 4, retries: 2, timers: 2 } },
      'stage.concurrency needs 30 concurrent executions, but stage.concurrency.account allows 29: lower runs,',
    ],
    [
      { concurrency: { account: 10, runs: 3 } },
      'stage.concurrency needs 12 concurrent executions, but stage.concurrency.account allows 10: lower runs,',
    ],
    [
      { concurrency: { account: 1_000, runs: 50, runnersPerBatch: 10, ingress: 445 } },
      'stage.concurrency.ingress must be at most 444: the queues need 556 of the 1000 executions of the account, and',
    ],
    [
      { concurrency: { account: 1_000, runs: 50, runnersPerBatch: 10, live: 223 } },
      'stage.concurrency.live must be at most 222: the queues need 556 of the 1000 executions of the account, and',
    ],
    [{ network: { vpc: 'mine' } }, 'stage.network.vpc must be new or the id of a VPC.'],
    [
      { network: { vpc: 'new', addresses: ['198.51.100.7'] } },
      'stage.network.addresses must be absent with stage.network.vpc "new": the stack creates both.',
    ],
    [
      { network: { vpc: 'vpc-0123456789abcdef0', addresses: ['198.51.100.7'] } },
      'stage.network.subnetIds must be set with the id of a VPC: its subnets with a route to a NAT gateway, and',
    ],
    [
      { network: { vpc: 'new', address: '198.51.100.7' } },
      'stage.network.address: no such setting. There are vpc, subnetIds, addresses.',
    ],
    [
      { live: 'off', concurrency: { account: 1_000, runs: 50, runnersPerBatch: 10, live: 445 } },
      'stage.concurrency.live must be at most 444: the queues need 556 of the 1000 executions of the account, and',
    ],
    [
      { concurrency: { account: 1_000, runs: 50, runnersPerBatch: 10, live: 100, ingress: 245 } },
      'stage.concurrency.ingress must be at most 244: live streams reserve 200, the queues need 556 of the 1000',
    ],
    [
      { concurrency: { account: 150, ingress: 51 } },
      'stage.concurrency.ingress must be at most 50: the queues need 10 of the 150 executions of the account, and',
    ],
    [
      limits({ concurrentRuns: 2 }),
      'stage.limits.concurrentRuns must be less than stage.concurrency.runs, which is 2: long runs of one user could otherwise take all of it; set it to at most 1, or raise runs.',
    ],
    [
      { concurrency: 'standard', ...limits({ concurrentRuns: 50 }) },
      'stage.limits.concurrentRuns must be less than stage.concurrency.runs, which is 50:',
    ],
    [
      { throttle: { rate: 46 } },
      'stage.throttle.rate must be at most 45: 2 runs with 1 runners each execute about 45 short runs per second, and more requests',
    ],
    [
      { concurrency: 'standard', throttle: { rate: 11_251 } },
      'stage.throttle.rate must be at most 11250: 50 runs with 10 runners each execute',
    ],
    [
      { adopt, retention: { data: 'delete' } },
      'stage.retention.data must be retain with stage.adopt, because a stack deletes nothing that it has adopted.',
    ],
    [
      { domain: { ...domain, ingress: domain.api } },
      'stage.domain.ingress must differ from stage.domain.api and not cover it:',
    ],
    [
      { domain: { ...domain, ingress: '*.mine.test' } },
      'stage.domain.ingress must differ from stage.domain.api and not cover it:',
    ],
    [
      { domain: { ...domain, ingress: '*.api.mine.test' } },
      'stage.domain.ingress must differ from stage.domain.api and not cover it:',
    ],
    [{ domain: { ...domain, ingress: 'in.*.test' } }, 'stage.domain.ingress must be a host name in lower case'],
    [{ domain: { ...domain, api: '*.mine.test' } }, 'stage.domain.api must be a host name in lower case'],
  ])('%j', (context, message) => {
    expect(() => readStage(context)).toThrow(StageError);
    expect(() => readStage(context)).toThrow(message);
  });

  test('and accepted at the edge', () => {
    const concurrency = { account: 209, runs: 50, timers: 5, ingress: 100 };
    const stage = {
      concurrency,
      adopt,
      domain,
      ...limits({ concurrentRuns: 49 }),
      throttle: { rate: 1_125 },
    };
    expect(readStage(stage)).toMatchObject(stage);
  });
});

describe('with any stage', () => {
  test('a message whose function was throttled or died stays hidden for six times the time limit, and comes back a hundred times', () => {
    const { functions, queues } = sizing;
    const workers = {
      runs: 'run-source',
      deliveries: 'deliver-event',
      retries: 'retry-delivery',
      timers: 'jobs',
    } as const;
    for (const name of ['runs', 'deliveries', 'retries', 'timers'] as const)
      expect(queues[name]).toMatchObject({ visibility: 6 * functions[workers[name]].timeout, maxReceiveCount: 100 });
  });

  test('every trigger can run: the longest run starts within the time of its batch, and ends within runner, worker and visibility', () => {
    const { limits: longest } = readStage(limits({ runTimeoutMs: 240_000 }));
    expect(longest.runTimeoutMs).toBeLessThan(BATCH_WORK_MS);
    expect(BATCH_WORK_MS / 1_000).toBeLessThan(functions.runner.timeout);
    expect(functions.runner.timeout).toBeLessThan(functions['run-source'].timeout);
    expect(functions['run-source'].timeout).toBeLessThan(queues.runs.visibility);
    // The host, a spare process, and Node itself in each process.
    for (const runMemoryMb of [64, 256, 1_536])
      expect(runnerMemoryMb({ runMemoryMb, warmRunners: 1 })).toBeGreaterThanOrEqual(runMemoryMb + 256);
    expect(runnerMemoryMb({ runMemoryMb: 1_536, warmRunners: 100 })).toBeLessThanOrEqual(10_240);
  });

  test('a first delivery attempt that starts last ends within its function', () => {
    expect(FIRST_ATTEMPTS_MS + FIRST_TIMEOUT_MS).toBeLessThan(functions['deliver-event'].timeout * 1_000);
  });

  test('an API function answers before API Gateway gives up after 30 s', () => {
    expect(functions.api.timeout).toBeLessThan(30);
    expect(functions.ingress.timeout).toBeLessThan(30);
  });
});
