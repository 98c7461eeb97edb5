import type { Input, Output } from '../../call.ts';
import type { DynamoDbContext } from '../context.ts';
import { project } from '../expression/project.ts';
import type { Meter } from '../meter.ts';
import type { Change } from '../planned-write.ts';
import { oneOf } from '../request.ts';
import { giveItem, type Attributes } from '../values/value.ts';
import { oldItem, RETURN_VALUES, writeItem } from '../write.ts';
import { planUpdate, type PlannedUpdate } from '../write-plans.ts';

export function updateItem(input: Input, { find }: DynamoDbContext, meter: Meter | undefined): Output {
  const requested = oneOf(input, 'ReturnValues', RETURN_VALUES) ?? 'NONE';
  const plan = planUpdate(input, find);
  return writeItem(plan, meter, (change) => returnValues(requested, change, plan));
}

function returnValues(
  requested: (typeof RETURN_VALUES)[number],
  change: Change,
  { actions, scope }: PlannedUpdate,
): Attributes | undefined {
  if (requested === 'NONE') return undefined;
  if (requested === 'ALL_OLD') return oldItem(change);
  const after = typeof change.after === 'object' ? change.after.item : {};
  if (requested === 'ALL_NEW') return giveItem(after);
  const paths = actions.map(({ path }) => path);
  const updated = project(paths, after, scope);
  return Object.keys(updated).length > 0 ? updated : undefined;
}
