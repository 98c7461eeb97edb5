import type { Input, Output } from '../../call.ts';
import type { SchedulerContext } from '../context.ts';
import { conflict, quotaExceeded } from '../errors.ts';
import { checkedDefinition, commitSchedule, isSameDefinition, storeSchedule } from '../schedule-changes.ts';

export async function createSchedule(input: Input, context: SchedulerContext): Promise<Output> {
  const { schedules, disk, maxSchedules, arnOfSchedule } = context;
  const definition = checkedDefinition(input, context);
  const existing = schedules.get(definition);
  if (existing) {
    const isRepeated = input['ClientToken'] !== undefined && input['ClientToken'] === existing.clientToken;
    if (!isRepeated || !isSameDefinition(existing.definition, definition))
      throw conflict(`Schedule ${definition.name} already exists.`);
    await disk.commit();
    return { ScheduleArn: arnOfSchedule(existing) };
  }
  if (schedules.size >= maxSchedules)
    throw quotaExceeded(`The number of schedules has reached the quota of ${maxSchedules}.`);
  return commitSchedule(storeSchedule(definition, context, input['ClientToken']), context);
}
