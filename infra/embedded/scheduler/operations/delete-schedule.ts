import type { Input, Output } from '../../call.ts';
import type { SchedulerContext } from '../context.ts';
import { existingSchedule } from '../schedule-changes.ts';

export async function deleteSchedule(input: Input, context: SchedulerContext): Promise<Output> {
  context.schedules.remove(existingSchedule(input, context));
  await context.disk.commit();
  return {};
}
