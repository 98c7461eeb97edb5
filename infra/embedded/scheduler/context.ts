import type { Output } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk/disk.ts';
import type { ScheduleName } from './schedule-name.ts';
import type { ScheduleRunner } from './schedule-runner.ts';
import type { Schedule, Schedules } from './schedules.ts';

/** The parts of the service that its operations work on. */
export interface SchedulerContext {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly schedules: Schedules;
  readonly runner: ScheduleRunner;
  readonly maxSchedules: number;
  hasGroup(name: string): boolean;
  /** Whether the trust policy of a role lets `scheduler.amazonaws.com` assume it for the schedules of a group. */
  canAssume(role: string, groupArn: string): boolean;
  arnOfGroup(name: string): string;
  arnOf(name: ScheduleName): string;
  arnOfSchedule(schedule: Schedule): string;
  /** The members that both a read and a list of schedules have. */
  summaryOf(schedule: Schedule): Output;
}
