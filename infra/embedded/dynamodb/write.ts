import { type Output } from '../call.ts';
import { project } from './expression/project.ts';
import { invalid } from './invalid.ts';
import { type Meter } from './meter.ts';
import { planDelete, planPut, planUpdate, type PlannedUpdate } from './plan-write.ts';
import { apply, ConditionFailed, type Change, type PlannedWrite } from './planned-write.ts';
import { oneOf, type FindTable, type Input } from './request.ts';
import { giveItem, type Attributes } from './value.ts';

const RETURN_VALUES = ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] as const;

export function putItem(input: Input, find: FindTable, meter: Meter | undefined): Output {
  const wanted = allOldOrNone(input);
  const plan = planPut(input, find);
  return carryOut(plan, meter, (change) => (wanted ? old(change) : undefined));
}

export function deleteItem(input: Input, find: FindTable, meter: Meter | undefined): Output {
  const wanted = allOldOrNone(input);
  const plan = planDelete(input, find);
  return carryOut(plan, meter, (change) => (wanted ? old(change) : undefined));
}

export function updateItem(input: Input, find: FindTable, meter: Meter | undefined): Output {
  const wanted = oneOf(input, 'ReturnValues', RETURN_VALUES) ?? 'NONE';
  const plan = planUpdate(input, find);
  return carryOut(plan, meter, (change) => returned(wanted, change, plan));
}

/** Decides, gathers what is to be returned, applies. Nothing comes between, so a condition needs no lock. */
function carryOut(
  plan: PlannedWrite,
  meter: Meter | undefined,
  returns: (change: Change) => Attributes | undefined,
): Output {
  let change: Change;
  try {
    change = plan.decide();
  } catch (error) {
    if (error instanceof ConditionFailed) meter?.check(error.table, error.row);
    throw error;
  }
  const Attributes = returns(change);
  apply(change, meter);
  const ConsumedCapacity = meter?.one();
  return { ...(Attributes && { Attributes }), ...(ConsumedCapacity && { ConsumedCapacity }) };
}

function returned(
  wanted: (typeof RETURN_VALUES)[number],
  change: Change,
  { actions, scope }: PlannedUpdate,
): Attributes | undefined {
  const paths = actions.map(({ path }) => path);
  const after = typeof change.after === 'object' ? change.after.item : {};
  switch (wanted) {
    case 'NONE':
      return undefined;
    case 'ALL_OLD':
      return old(change);
    case 'ALL_NEW':
      return giveItem(after);
    case 'UPDATED_OLD':
      return change.before && unlessEmpty(project(paths, change.table.read(change.before), scope));
    case 'UPDATED_NEW':
      return unlessEmpty(project(paths, after, scope));
  }
}

function unlessEmpty(item: Attributes): Attributes | undefined {
  return Object.keys(item).length > 0 ? item : undefined;
}

function old({ table, before }: Change): Attributes | undefined {
  return before && giveItem(table.read(before));
}

function allOldOrNone(input: Input): boolean {
  const wanted = oneOf(input, 'ReturnValues', RETURN_VALUES) ?? 'NONE';
  if (wanted !== 'ALL_OLD' && wanted !== 'NONE') throw invalid('ReturnValues can only be ALL_OLD or NONE');
  return wanted === 'ALL_OLD';
}
