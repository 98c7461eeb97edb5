import type { Input, Output } from '../call.ts';
import { validationException } from '../common-errors.ts';
import type { Meter } from './meter.ts';
import { apply, ConditionFailed, type Change, type PlannedWrite } from './planned-write.ts';
import { oneOf } from './request.ts';
import { giveItem, type Attributes } from './values/value.ts';

export const RETURN_VALUES = ['ALL_NEW', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] as const;

/** Decides, reads the values to return, applies. All of it is synchronous, so a condition needs no lock. */
export function writeItem(
  plan: PlannedWrite,
  meter: Meter | undefined,
  returnValues: (change: Change) => Attributes | undefined,
): Output {
  let change: Change;
  try {
    change = plan.decide();
  } catch (error) {
    if (error instanceof ConditionFailed) meter?.check(error.table, error.row);
    throw error;
  }
  const output: Output = {};
  const values = returnValues(change);
  if (values) output['Attributes'] = values;
  apply(change, meter);
  meter?.addConsumedCapacity(output);
  return output;
}

export function oldItem({ table, before }: Change): Attributes | undefined {
  return before && giveItem(table.read(before));
}

/** For PutItem and DeleteItem: returns the old item if the request asks for it. */
export function oldItemIfRequested(input: Input): (change: Change) => Attributes | undefined {
  const requested = oneOf(input, 'ReturnValues', RETURN_VALUES) ?? 'NONE';
  if (requested === 'NONE') return nothing;
  if (requested === 'ALL_OLD') return oldItem;
  throw validationException('ReturnValues can only be ALL_OLD or NONE');
}

const nothing = () => undefined;
