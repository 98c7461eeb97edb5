import { describe, expect, test } from 'vitest';
import { sizing } from '../../../infra/sizing.ts';
import { readStage, StageError } from '../../../infra/stage.ts';
import { BATCH_WORK_MS, FIRST_ATTEMPTS_MS } from '../../../shared/domain/time-limits.ts';
import { FIRST_TIMEOUT_MS } from '../../../shared/service/delivery/http-target.ts';

const { functions, queues } = sizing;
const limits = (input: object) => ({ limits: input });

describe('a stage', () => {
  test('is an object or its JSON text, and what it leaves out has its default', () => {
    expect(readStage({ stackName: 'Mine' })).toEqual({ ...readStage(), stackName: 'Mine' });
    expect(readStage('{"stackName":"Mine"}').stackName).toBe('Mine');
    const longer = readStage(limits({ runTimeoutMs: 240_000, runMemoryMb: 1_536 })).limits;
    expect(longer).toEqual({ ...readStage().limits, runTimeoutMs: 240_000, runMemoryMb: 1_536 });
    expect(readStage({ concurrency: { runs: 9 } }).concurrency).toEqual({
      runs: 9,
      deliveries: 2,
      retries: 2,
      timers: 2,
    });
    expect(readStage({ throttle: { rate: 9 } }).throttle).toEqual({ rate: 9, burst: 2_000 });
  });

  test('bounds what a free user can cost: a day of the default quotas stays below $15', () => {
    const { freeInvocations, freeComputeMs } = readStage().limits;
    // Prices of docs/costs.md: a million events at low traffic, and a GB-second of Lambda. The worker waits for the runner.
    const gb = (functions.runner.memoryMb + functions['run-source'].memoryMb) / 1_024;
    const dollars = (freeInvocations / 1e6) * 8.5 + (freeComputeMs / 1_000) * gb * 0.0000166667;
    expect(dollars).toBeLessThan(15);
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
    [{ concurrency: { run: 4 } }, 'stage.concurrency.run: no such setting. There are runs, deliveries,'],
    [{ throttle: { rps: 4 } }, 'stage.throttle.rps: no such setting. There are rate, burst.'],
    [{ concurrency: { runs: 1 } }, 'stage.concurrency.runs must be at least 2.'],
    [{ concurrency: 4 }, 'stage.concurrency must be an object.'],
    [{ throttle: { rate: 0 } }, 'stage.throttle.rate must be more than 0.'],
    [
      { networkAllowList: ['10.0.0.1'] },
      'stage.networkAllowList.0 must be a CIDR block, such as 10.1.0.0/16.',
    ],
    [{ npmRegistry: 'npm' }, 'stage.npmRegistry must be a URL.'],
    [
      { componentHosts: { a: 'b' } },
      'stage.componentHosts.a must be an origin, such as https://mirror.example.',
    ],
    [{ runnerHosts: { a: 'b' } }, 'stage.runnerHosts.a must be host:port.'],
    [{ logLevel: 'all' }, 'stage.logLevel must be debug, info, warn or error.'],
    [{ isolation: 'none' }, 'stage.isolation must be source or user.'],
    [{ allowPrivateNetwork: 1 }, 'stage.allowPrivateNetwork must be true or false.'],
    [{ stackName: '1' }, 'stage.stackName must be a letter, then'],
    ['{stackName: "Mine"}', 'stage: must be JSON, for example'],
  ])('%j is refused: %s', (context, message) => {
    expect(() => readStage(context)).toThrow(StageError);
    expect(() => readStage(context)).toThrow(message);
  });
});

describe('with any stage', () => {
  test('every trigger can run: the longest run starts within the time of its batch, and ends within runner, worker and visibility', () => {
    const { limits: longest } = readStage(limits({ runTimeoutMs: 240_000 }));
    expect(longest.runTimeoutMs).toBeLessThan(BATCH_WORK_MS);
    expect(BATCH_WORK_MS / 1_000).toBeLessThan(functions.runner.timeout);
    expect(functions.runner.timeout).toBeLessThan(functions['run-source'].timeout);
    expect(functions['run-source'].timeout).toBeLessThan(queues.runs.visibility);
    // The host, a spare process, and Node itself in each process.
    expect(functions.runner.memoryMb).toBeGreaterThanOrEqual(1_536 + 384);
  });

  test('a first delivery attempt that starts last ends within its function', () => {
    expect(FIRST_ATTEMPTS_MS + FIRST_TIMEOUT_MS).toBeLessThan(functions['deliver-event'].timeout * 1_000);
  });

  test('an API function answers before API Gateway gives up after 30 s', () => {
    expect(functions.api.timeout).toBeLessThan(30);
    expect(functions.ingress.timeout).toBeLessThan(30);
  });
});
