import type { Input } from '../call.ts';
import { validationException } from '../common-errors.ts';
import { invalidParameter } from './errors.ts';
import { applyUpdate } from './expression/apply-update.ts';
import { parseUpdate } from './expression/cache.ts';
import { checkUpdate } from './expression/check-update.ts';
import { bind, headOf, type Scope } from './expression/scope.ts';
import type { Action } from './expression/update.ts';
import { checkItemKeys, checkKey } from './values/key.ts';
import { conditionExpressionOf, Guard, type PlannedWrite } from './planned-write.ts';
import { attributes, textIn, refuseUnknown, required, type FindTable } from './request.ts';
import type { Table, TakenItem } from './rows/table.ts';
import { attribute, isMap, textSize, valueSize, type Attributes, type Value } from './values/value.ts';
import { takeItem } from './values/take-item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_ITEM_BYTES = 400 * 1024;

export function planPut(input: Input, find: FindTable): PlannedWrite {
  refuseUnknown(input);
  const taken = takeItem(required(input, 'Item'));
  checkItemSize(taken.size);
  const condition = conditionExpressionOf(input);
  const guard = new Guard(condition, bind(input, [['ConditionExpression', condition]]));
  const table = find(input.TableName);
  checkItemKeys(taken.item, table.keys);
  return {
    table,
    key: taken.item,
    decide() {
      const before = table.find(taken.item);
      guard.check(table, before);
      return { table, before, after: taken };
    },
  };
}

export function checkItemSize(size: number): void {
  if (size > MAX_ITEM_BYTES) throw validationException('Item size has exceeded the maximum allowed size');
}

export function planDelete(input: Input, find: FindTable): PlannedWrite {
  return planByKey(input, find, undefined);
}

export function planConditionCheck(input: Input, find: FindTable): PlannedWrite {
  required(input, 'ConditionExpression');
  return planByKey(input, find, 'unchanged');
}

function planByKey(input: Input, find: FindTable, after: undefined | 'unchanged'): PlannedWrite {
  refuseUnknown(input);
  const key = attributes(input, 'Key');
  const condition = conditionExpressionOf(input);
  const guard = new Guard(condition, bind(input, [['ConditionExpression', condition]]));
  const table = find(input.TableName);
  checkKey(key, table.keys);
  return {
    table,
    key,
    decide() {
      const before = table.find(key);
      guard.check(table, before);
      return { table, before, after };
    },
  };
}

export interface PlannedUpdate extends PlannedWrite {
  readonly actions: readonly Action[];
  readonly scope: Scope;
}

export function planUpdate(input: Input, find: FindTable): PlannedUpdate {
  refuseUnknown(input);
  const key = attributes(input, 'Key');
  const text = textIn(input, 'UpdateExpression');
  const update = text === undefined ? undefined : parseUpdate(text);
  const condition = conditionExpressionOf(input);
  const scope = bind(input, [
    ['UpdateExpression', update],
    ['ConditionExpression', condition],
  ]);
  const actions = update?.ast ?? [];
  checkUpdate(actions, scope);
  const guard = new Guard(condition, scope);
  const table = find(input.TableName);
  checkKey(key, table.keys);
  checkTargets(actions, scope, table);
  return {
    table,
    key,
    actions,
    scope,
    decide() {
      const before = table.find(key);
      guard.check(table, before);
      const item = applyUpdate(actions, before ? table.read(before) : key, scope);
      const after = measure(item);
      if (after.size > MAX_ITEM_BYTES)
        throw validationException('Item size to update has exceeded the maximum allowed size');
      return { table, before, after };
    },
  };
}

/** An update cannot change a key. */
function checkTargets(actions: readonly Action[], scope: Scope, table: Table): void {
  for (const { path } of actions) {
    const head = headOf(path, scope);
    for (const { name } of table.keys.attributes) {
      if (name !== head) continue;
      throw invalidParameter(`Cannot update attribute ${name}. This attribute is part of the key`);
    }
  }
}

function measure(item: Attributes): TakenItem {
  let size = 0;
  let plain = true;
  for (const name in item) {
    const value = attribute(item, name) as Value;
    size += textSize(name) + valueSize(value);
    plain &&= isPlain(value);
  }
  return { item, size, plain };
}

/** Whether plain JSON can hold the value: it cannot hold sets and bytes. */
function isPlain(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return isMap(value) && Object.values(value).every(isPlain);
}
