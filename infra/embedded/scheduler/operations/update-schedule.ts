import type { Input, Output } from '../../call.ts';
import type { SchedulerContext } from '../context.ts';
import { checkedDefinition, commitSchedule, existingSchedule, storeSchedule } from '../schedule-changes.ts';

/** Replaces the whole definition: members that the input lacks get their defaults. */
export async function updateSchedule(input: Input, context: SchedulerContext): Promise<Output> {
  const definition = checkedDefinition(input, context);
  existingSchedule(input, context);
  return commitSchedule(storeSchedule(definition, context, input['ClientToken']), context);
}
