import type { Demand, Dispatch, EmbeddedService, Output } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk.ts';
import type { Weather } from '../weather.ts';
import { Clockwork, type ClockworkOptions } from './clockwork.ts';
import { parseDefinition, type Definition } from './definition.ts';
import {
  conflict,
  noSuchGroup,
  noSuchSchedule,
  quotaExceeded,
  unknownOperation,
  validation,
} from './errors.ts';
import { details, listing } from './output.ts';
import { expressionOf, firstOccurrence, Schedules, type Schedule } from './schedules.ts';
import { Violations, type Input } from './violations.ts';

/** Per account and region. https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html */
const MAX_SCHEDULES = 10_000_000;
const DEFAULT_GROUP = 'default';
/** One-time schedules are as precise as a minute: one that is due in this minute is not too late. */
const AT_GRACE_MS = 60_000;

export interface SchedulerOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly weather: Weather;
  readonly region: string;
  readonly account: string;
  /** Where the calls to targets go, each in the name of its schedule's role. */
  readonly dispatch: Dispatch;
  /** Whether a role's trust policy lets `scheduler.amazonaws.com` take it on. */
  readonly canAssume?: (role: string) => boolean;
  readonly onDropped?: ClockworkOptions['onDropped'];
  readonly maxSchedules?: number;
}

export interface Scheduler extends EmbeddedService {
  readonly id: 'Scheduler';
  createGroup(spec: { readonly name: string }): void;
  /** A schedule of the stack (`AWS::Scheduler::Schedule`): its properties as CloudFormation names them. */
  createSchedule(properties: Readonly<Record<string, unknown>>): void;
  /** Groups that have schedules, whether or not they were created in this process. */
  groupsOnDisk(): string[];
  /** Begins to fire, and removes schedules that the stack no longer declares. */
  start(): Promise<void>;
  /** Resolves when no call to a target is under way. */
  stop(): Promise<void>;
}

/** EventBridge Scheduler with its schedules on the Disk. */
export async function scheduler({
  region,
  account,
  canAssume = () => true,
  onDropped = () => undefined,
  maxSchedules = MAX_SCHEDULES,
  ...rest
}: SchedulerOptions): Promise<Scheduler> {
  const { disk, clock } = rest;
  const schedules = new Schedules(disk);
  const groups = new Set([DEFAULT_GROUP]);
  const declared = new Set<Schedule>();
  const arn = (group: string, name: string) =>
    `arn:aws:scheduler:${region}:${account}:schedule/${group}/${name}`;
  const arnOf = ({ definition }: Schedule) => arn(definition.groupName, definition.name);
  const clockwork = new Clockwork({ ...rest, schedules, arnOf, onDropped });
  await schedules.load();
  await clockwork.load();
  for (const schedule of schedules.all()) clockwork.watch(schedule);

  const checked = (input: Input): Definition => {
    const definition = parseDefinition(input, clock.now());
    const { kind } = expressionOf(definition);
    if (!groups.has(definition.groupName)) throw noSuchGroup(definition.groupName);
    const first = firstOccurrence(definition, clock.now());
    if (kind === 'at' && first !== undefined && first <= clock.now() - AT_GRACE_MS) {
      throw validation(`Invalid Schedule Expression ${definition.scheduleExpression}. It is in the past.`);
    }
    if (!canAssume(definition.target.roleArn)) {
      throw validation(
        'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
      );
    }
    return definition;
  };

  const keep = (definition: Definition, more: Partial<Schedule>): Schedule => {
    const now = clock.now();
    const first = firstOccurrence(definition, now);
    const schedule: Schedule = {
      definition,
      createdAt: now,
      modifiedAt: now,
      origin: first ?? now,
      ...(first !== undefined && definition.state === 'ENABLED' && { nextAt: first }),
      ...more,
    };
    schedules.put(schedule);
    return schedule;
  };

  /** Visible at once, acknowledged when written, and only then able to fire. */
  const committed = async (schedule: Schedule): Promise<Output> => {
    await disk.commit();
    if (schedules.get(schedule.definition) === schedule) clockwork.watch(schedule);
    return { ScheduleArn: arnOf(schedule) };
  };

  const existing = (input: Input): Schedule => {
    const { groupName, name } = namesOf(input);
    if (!groups.has(groupName)) throw noSuchGroup(groupName);
    const schedule = schedules.get({ groupName, name });
    if (!schedule) throw noSuchSchedule(name);
    return schedule;
  };

  const operations: Readonly<Record<string, (input: Input) => Promise<Output>>> = {
    async CreateSchedule(input) {
      const definition = checked(input);
      const before = schedules.get(definition);
      if (before) {
        const isRepeated = input['ClientToken'] !== undefined && input['ClientToken'] === before.clientToken;
        if (isRepeated && same(before.definition, definition)) {
          await disk.commit();
          return { ScheduleArn: arnOf(before) };
        }
        throw conflict(`Schedule ${definition.name} already exists.`);
      }
      if (schedules.size >= maxSchedules) {
        throw quotaExceeded(`The number of schedules has reached the quota of ${maxSchedules}.`);
      }
      return committed(keep(definition, tokenOf(input)));
    },

    async UpdateSchedule(input) {
      const definition = checked(input);
      const { createdAt } = existing(input);
      return committed(keep(definition, { ...tokenOf(input), createdAt }));
    },

    async GetSchedule(input) {
      const schedule = existing(input);
      return Promise.resolve(details(schedule, arnOf(schedule)));
    },

    async DeleteSchedule(input) {
      schedules.remove(existing(input));
      await disk.commit();
      return {};
    },

    async ListSchedules(input) {
      const group = input['GroupName'];
      if (typeof group === 'string' && !groups.has(group)) throw noSuchGroup(group);
      return Promise.resolve(listing(schedules, input, arnOf));
    },
  };

  return {
    id: 'Scheduler',
    createGroup: ({ name }) => void groups.add(name),
    groupsOnDisk: () => [...new Set([...schedules.all()].map(({ definition }) => definition.groupName))],

    createSchedule(properties) {
      // Its dates were right when the stack first declared it, however long ago.
      const definition = parseDefinition(properties, Number.NEGATIVE_INFINITY);
      if (!groups.has(definition.groupName)) throw noSuchGroup(definition.groupName);
      const before = schedules.get(definition);
      if (before?.isStatic && same(before.definition, definition)) {
        declared.add(before);
        return;
      }
      const schedule = keep(definition, { isStatic: true });
      declared.add(schedule);
      clockwork.watch(schedule);
    },

    demands(operation, input): readonly Demand[] {
      if (!(operation in operations)) throw unknownOperation(operation);
      const action = `scheduler:${operation}`;
      if (operation === 'ListSchedules') {
        return [
          { action, resource: arn(typeof input['GroupName'] === 'string' ? input['GroupName'] : '*', '*') },
        ];
      }
      const { groupName, name } = namesOf(input);
      const demand = { action, resource: arn(groupName, name) };
      const role = (input['Target'] as Input | undefined)?.['RoleArn'];
      if (!['CreateSchedule', 'UpdateSchedule'].includes(operation) || typeof role !== 'string')
        return [demand];
      const context = { 'iam:PassedToService': 'scheduler.amazonaws.com' };
      return [demand, { action: 'iam:PassRole', resource: role, context }];
    },

    async call(operation, input) {
      const run = operations[operation];
      if (!run) throw unknownOperation(operation);
      return run(input);
    },

    async start() {
      for (const schedule of schedules.sorted(({ isStatic }) => isStatic === true)) {
        if (!declared.has(schedule)) schedules.remove(schedule);
      }
      await disk.commit();
      clockwork.start();
    },

    stop: () => clockwork.stop(),
  };
}

function namesOf(input: Input): { groupName: string; name: string } {
  const violations = new Violations();
  const pattern = /^[0-9a-zA-Z\-_.]+$/;
  const name = violations.text(input['Name'], 'name', { required: true, max: 64, pattern });
  const groupName = violations.text(input['GroupName'], 'groupName', { max: 64, pattern });
  violations.throwIfAny();
  return { groupName: groupName ?? DEFAULT_GROUP, name: name ?? '' };
}

const tokenOf = ({ ClientToken }: Input) =>
  typeof ClientToken === 'string' ? { clientToken: ClientToken } : {};

const same = (a: Definition, b: Definition) => JSON.stringify(a) === JSON.stringify(b);
