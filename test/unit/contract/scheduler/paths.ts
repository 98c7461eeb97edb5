import * as sdk from '@aws-sdk/client-scheduler';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AwsError, type Call, type Output } from '../../../../infra/embedded/call.ts';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { openDisk } from '../../../../infra/embedded/disk/open-disk.ts';
import type { Definition } from '../../../../infra/embedded/scheduler/definition.ts';
import { SchedulerService, type SchedulerOptions } from '../../../../infra/embedded/scheduler/service.ts';
import { schedulerRequestHandler } from '../../../support/aws-wire/scheduler-handler.ts';
import { noFaults } from '../../../../infra/embedded/faults.ts';
import { GROUP, queueArn, ROLE } from '../../../support/world/scheduler.ts';

const QUEUE = queueArn('retries');
export const FIFO = queueArn('runs.fifo');

/** A call that a schedule made, and when. */
interface Made extends Call {
  readonly at: string;
}

export interface World {
  readonly service: SchedulerService;
  readonly clock: FakeClock;
  readonly made: Made[];
  /** The responses to the next calls to targets: an error, no response, or success. */
  readonly responses: (Error | 'never' | undefined)[];
  readonly dropped: string[];
  /** Actions that the creator's role lacks. */
  readonly denied: Set<string>;
  /** The definition of a stored schedule. */
  stored(name?: string, group?: string): Definition | undefined;
  /** Names of all stored schedules. */
  names(): Promise<string[]>;
  authorised(operation: string, input: Record<string, unknown>): Promise<Output>;
  /** Advances the clock and waits until every call that became due is made. */
  advance(ms: number): Promise<void>;
  /** Stops the service and opens another on the same disk, after some time. */
  reopen(afterMs?: number): Promise<World>;
  /** The same, without waiting for calls in progress. */
  crash(): Promise<World>;
}

export type Options = Partial<Pick<SchedulerOptions, 'faults' | 'canAssume' | 'maxSchedules'>> & {
  start?: number;
};

export async function aWorld({ start = Date.UTC(2026, 0, 1), ...options }: Options = {}): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'scheduler-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return open(directory, new FakeClock(start), options);
}

async function open(directory: string, clock: FakeClock, options: Omit<Options, 'start'>): Promise<World> {
  const disk = await openDisk(join(directory, 'store'), { sync: 'always' });
  const made: Made[] = [];
  const responses: World['responses'] = [];
  const dropped: string[] = [];
  const denied = new Set<string>();
  const service = new SchedulerService({
    disk,
    clock,
    faults: noFaults,
    region: 'us-east-1',
    account: '000000000000',
    dispatch: (call) => {
      made.push({ ...call, at: new Date(clock.now()).toISOString() });
      const response = responses.shift();
      if (response === 'never') return new Promise(() => undefined);
      return response ? Promise.reject(response) : Promise.resolve({});
    },
    onDropped: ({ scheduleArn }) => dropped.push(scheduleArn),
    ...options,
  });
  await service.load();
  service.createGroup({ name: GROUP });
  service.start();
  // A due schedule is written, called and removed: each step is a commit.
  const settled = async () => {
    for (let round = 0; round < 6; round += 1) {
      await disk.commit();
      await new Promise(setImmediate);
    }
  };
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await service.stop();
    await disk.close();
  };
  onTestFinished(close);
  return {
    service,
    clock,
    made,
    responses,
    dropped,
    denied,
    stored: (name = 'tick', group = GROUP) => {
      const stored = disk.get(`t/s/${group}/${name}`);
      return stored === undefined ? undefined : (JSON.parse(stored) as { definition: Definition }).definition;
    },
    async names() {
      const names: string[] = [];
      for await (const key of disk.keys('t/s/')) names.push(key.split('/').at(-1) ?? '');
      return names;
    },
    async authorised(operation, input) {
      for (const { action, resource, context } of service.requiredPermissions(operation, input)) {
        if (!denied.has(action)) continue;
        const reason = `${action} on ${resource} ${JSON.stringify(context ?? {})}`;
        throw new AwsError('AccessDeniedException', reason, { statusCode: 403 });
      }
      return service.call(operation, input);
    },
    async advance(ms) {
      const end = clock.now() + ms;
      await settled();
      for (let next = clock.nextWake(); next !== undefined && next <= end; next = clock.nextWake()) {
        clock.advance(Math.max(next - clock.now(), 0));
        await settled();
      }
      clock.advance(end - clock.now());
    },
    async reopen(afterMs = 0) {
      await close();
      clock.advance(afterMs);
      return open(directory, clock, options);
    },
    async crash() {
      isOpen = false;
      void service.stop();
      await disk.close();
      return open(directory, clock, options);
    },
  };
}

/** One path of a call to the service. All paths must behave the same. */
interface Path {
  send(operation: string, input: Record<string, unknown>): Promise<Output>;
}

const native = (world: World): Path => ({ send: (operation, input) => world.authorised(operation, input) });

const serialised = (world: World): Path => {
  const requestHandler = schedulerRequestHandler((operation, input) => world.authorised(operation, input));
  const client = new sdk.SchedulerClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    maxAttempts: 1,
    requestHandler: requestHandler as never,
  });
  return {
    async send(operation, input) {
      const commands = sdk as unknown as Record<string, new (input: unknown) => sdk.CreateScheduleCommand>;
      const Command = commands[`${operation}Command`];
      if (!Command) throw new Error(`No command for ${operation}.`);
      const output: Output = { ...(await client.send(new Command(input))) };
      delete output['$metadata'];
      return output;
    },
  };
};

export const paths = [
  ['called directly', native],
  ['serialised', serialised],
] as const;

/** A schedule with a queue as target. A test sets only the members that it is about. */
export const aSchedule = (more: Record<string, unknown> = {}, target: Record<string, unknown> = {}) => ({
  Name: 'tick',
  GroupName: GROUP,
  ScheduleExpression: 'at(2026-01-01T01:00:00)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: QUEUE, RoleArn: ROLE, Input: 'hello', ...target },
  ...more,
});
