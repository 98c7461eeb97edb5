import type { Dispatch, EmbeddedService, Input, Output, RequiredPermission } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk/disk.ts';
import type { Faults } from '../faults.ts';
import { operationNamed, type OperationTable } from '../operation.ts';
import type { SchedulerContext } from './context.ts';
import { unknownSchedulerOperation } from './errors.ts';
import { createSchedule } from './operations/create-schedule.ts';
import { deleteSchedule } from './operations/delete-schedule.ts';
import { getSchedule } from './operations/get-schedule.ts';
import { listSchedules } from './operations/list-schedules.ts';
import { updateSchedule } from './operations/update-schedule.ts';
import { listPermission, schedulePermission, targetPermission } from './permissions.ts';
import { checkedDefinition, commitSchedule, isSameDefinition, storeSchedule } from './schedule-changes.ts';
import { DEFAULT_GROUP, type ScheduleName } from './schedule-name.ts';
import { ScheduleRunner, type OnDropped } from './schedule-runner.ts';
import { Schedules, type Schedule } from './schedules.ts';

export const schedulerOperations = {
  CreateSchedule: { handle: createSchedule, requires: targetPermission('scheduler:CreateSchedule') },
  DeleteSchedule: { handle: deleteSchedule, requires: schedulePermission('scheduler:DeleteSchedule') },
  GetSchedule: { handle: getSchedule, requires: schedulePermission('scheduler:GetSchedule') },
  ListSchedules: { handle: listSchedules, requires: listPermission },
  UpdateSchedule: { handle: updateSchedule, requires: targetPermission('scheduler:UpdateSchedule') },
} satisfies OperationTable<SchedulerContext>;

/** The client token of schedules of the template. */
const DECLARED = 'template';

/** Per account and region. https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html */
const MAX_SCHEDULES = 10_000_000;

export interface SchedulerOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly region: string;
  readonly account: string;
  /** Takes the calls to targets, each with the role of its schedule. */
  readonly dispatch: Dispatch;
  /** Whether the trust policy of a role lets `scheduler.amazonaws.com` assume it for the schedules of a group. */
  readonly canAssume?: (role: string, groupArn: string) => boolean;
  readonly onDropped?: OnDropped | undefined;
  readonly maxSchedules?: number;
}

/** EventBridge Scheduler with its schedules on disk. */
export class SchedulerService implements EmbeddedService {
  readonly id = 'Scheduler';
  readonly #schedules: Schedules;
  readonly #runner: ScheduleRunner;
  readonly #context: SchedulerContext;
  readonly #groups = new Set([DEFAULT_GROUP]);
  /** Schedules of the template of the last start. */
  readonly #declared: Schedule[] = [];

  constructor(options: SchedulerOptions) {
    const { disk, clock, faults, dispatch, region, account } = options;
    const { canAssume = () => true, onDropped = () => undefined, maxSchedules = MAX_SCHEDULES } = options;
    const arnOf = ({ groupName, name }: ScheduleName) =>
      `arn:aws:scheduler:${region}:${account}:schedule/${groupName}/${name}`;
    const arnOfSchedule = ({ definition }: Schedule) => arnOf(definition);
    const schedules = new Schedules(disk);
    this.#schedules = schedules;
    this.#runner = new ScheduleRunner({
      disk,
      clock,
      faults,
      dispatch,
      schedules,
      arnOf: arnOfSchedule,
      onDropped,
    });
    this.#context = {
      clock,
      disk,
      schedules,
      runner: this.#runner,
      maxSchedules,
      hasGroup: (name) => this.#groups.has(name),
      canAssume,
      arnOfGroup: (name) => `arn:aws:scheduler:${region}:${account}:schedule-group/${name}`,
      arnOf,
      arnOfSchedule,
      summaryOf: (schedule) => ({
        Arn: arnOfSchedule(schedule),
        Name: schedule.definition.name,
        GroupName: schedule.definition.groupName,
        State: 'ENABLED',
        CreationDate: new Date(schedule.createdAt ?? 0),
        LastModificationDate: new Date(schedule.changedAt ?? 0),
      }),
    };
  }

  /** Loads the schedules and unfinished invocations on disk. Must precede every call. */
  async load(): Promise<void> {
    await this.#runner.load();
    for await (const { schedule, version } of this.#schedules.load()) {
      this.#runner.watch(schedule.nextAt, version);
      if (schedule.clientToken === DECLARED) this.#declared.push(schedule);
    }
  }

  /**
   * Stores the schedules of the template, and removes those of an earlier template. A schedule that did not change goes
   * on, so an occurrence that it missed is still due.
   */
  async declare(inputs: readonly Input[]): Promise<void> {
    const definitions = inputs.map((input) => checkedDefinition(input, this.#context));
    for (const earlier of this.#declared)
      if (!definitions.some((each) => isSameDefinition(each, earlier.definition))) this.#schedules.remove(earlier);
    for (const definition of definitions) {
      if (this.#schedules.get(definition)) continue;
      await commitSchedule(storeSchedule(definition, this.#context, DECLARED), this.#context);
    }
    await this.#context.disk.commit();
  }

  createGroup({ name }: { readonly name: string }): void {
    this.#groups.add(name);
  }

  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[] {
    return operationNamed(schedulerOperations, operation, unknownSchedulerOperation).requires(input, this.#context);
  }

  call(operation: string, input: Input): Promise<Output> {
    return operationNamed(schedulerOperations, operation, unknownSchedulerOperation).handle(input, this.#context);
  }

  /** Starts to fire. */
  start(): void {
    this.#runner.start();
  }

  /** Resolves when no call to a target is in progress. */
  stop(): Promise<void> {
    return this.#runner.stop();
  }
}
