import type { Input, Output } from '../call.ts';
import { validationException } from '../common-errors.ts';
import type { SchedulerContext } from './context.ts';
import { parseDefinition, type Definition } from './definition.ts';
import { groupNotFound, scheduleNotFound } from './errors.ts';
import { nameIn } from './schedule-name.ts';
import { expressionOf, firstOccurrence, type Schedule, type Version } from './schedules.ts';

/** One-time schedules are precise to the minute: a schedule that is due in the current minute is not too late. */
const AT_GRACE_MS = 60_000;

/** The definition in an input. Throws if its group, its time or its role is not valid now. */
export function checkedDefinition(
  input: Input,
  { clock, hasGroup, canAssume, arnOfGroup }: SchedulerContext,
): Definition {
  const now = clock.now();
  const definition = parseDefinition(input, now);
  const { kind } = expressionOf(definition);
  if (!hasGroup(definition.groupName)) throw groupNotFound(definition.groupName);
  const first = firstOccurrence(definition, now);
  if (kind === 'at' && first !== undefined && first <= now - AT_GRACE_MS) {
    throw validationException(`Invalid Schedule Expression ${definition.scheduleExpression}. It is in the past.`);
  }
  if (!canAssume(definition.target.roleArn, arnOfGroup(definition.groupName))) {
    throw validationException(
      'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
    );
  }
  return definition;
}

/** Stages a schedule. It is visible at once; the caller commits. */
export function storeSchedule(
  definition: Definition,
  { clock, schedules }: SchedulerContext,
  clientToken: unknown,
): { schedule: Schedule; version: Version } {
  const now = clock.now();
  const first = firstOccurrence(definition, now);
  const schedule: Schedule = {
    definition,
    origin: first ?? now,
    createdAt: schedules.get(definition)?.createdAt ?? now,
    changedAt: now,
    ...(first !== undefined && { nextAt: first }),
    ...(typeof clientToken === 'string' && { clientToken }),
  };
  return { schedule, version: schedules.put(schedule) };
}

/** Commits a stored schedule. Only then can it fire. */
export async function commitSchedule(
  { schedule, version }: ReturnType<typeof storeSchedule>,
  { disk, schedules, runner, arnOfSchedule }: SchedulerContext,
): Promise<Output> {
  await disk.commit();
  if (schedules.isCurrent(version)) runner.watch(schedule.nextAt, version);
  return { ScheduleArn: arnOfSchedule(schedule) };
}

export function existingSchedule(input: Input, { hasGroup, schedules }: SchedulerContext): Schedule {
  const name = nameIn(input);
  if (!hasGroup(name.groupName)) throw groupNotFound(name.groupName);
  const schedule = schedules.get(name);
  if (!schedule) throw scheduleNotFound(name.name);
  return schedule;
}

export const isSameDefinition = (a: Definition, b: Definition) => JSON.stringify(a) === JSON.stringify(b);
