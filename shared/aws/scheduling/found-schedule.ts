import type { Schedule } from '../schedules.ts';

export interface FoundSchedule {
  expression: string;
  timezone: string;
  queueArn: string;
  groupId: string | undefined;
  input: string;
  /** Epoch ms. */
  changedAt: number;
}

/** A rate and a cron without a time zone count in UTC. */
export const UTC = 'UTC';

/** Whether the schedule sends the messages of the other one, at its times. The first time of a rate is not compared. */
export const isSameSchedule = (found: FoundSchedule, { when, queueArn, groupId, input }: Schedule): boolean =>
  'expression' in when &&
  found.expression === when.expression &&
  found.timezone === (when.timezone ?? UTC) &&
  found.queueArn === queueArn &&
  found.groupId === groupId &&
  found.input === input;
