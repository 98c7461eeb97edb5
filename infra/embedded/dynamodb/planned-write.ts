import { AwsError, type Input } from '../call.ts';
import { parseCondition, type Expression } from './expression/cache.ts';
import { checkCondition } from './expression/check-condition.ts';
import { type Condition } from './expression/condition.ts';
import { meets } from './expression/evaluate.ts';
import { type Scope } from './expression/scope.ts';
import { type Meter } from './meter.ts';
import { textIn } from './request.ts';
import { type Row } from './rows/row.ts';
import { type Table, type TakenItem } from './rows/table.ts';
import type { Attributes } from './values/value.ts';

/** A write with a valid request. Its outcome depends only on the item. */
export interface PlannedWrite {
  readonly table: Table;
  readonly key: Attributes;
  /** The change of the item. Throws if the condition fails or the item does not allow the change. */
  decide(): Change;
}

export interface Change {
  readonly table: Table;
  readonly before: Row | undefined;
  /** Undefined: the item is deleted. `unchanged`: the item is only checked. */
  readonly after: TakenItem | undefined | 'unchanged';
}

export function apply({ table, before, after }: Change, meter: Meter | undefined): void {
  if (after === 'unchanged') {
    meter?.check(table, before);
    return;
  }
  meter?.write(table, before, after);
  if (after) table.write(after);
  else if (before) table.remove(before);
}

export function conditionExpressionOf(input: Input): Expression<Condition> | undefined {
  const text = textIn(input, 'ConditionExpression');
  return text === undefined ? undefined : parseCondition(text);
}

/** A condition expression with its scope, to check rows against. */
export class Guard {
  readonly #condition: Condition | undefined;
  readonly #scope: Scope;

  constructor(condition: Expression<Condition> | undefined, scope: Scope) {
    this.#condition = condition?.ast;
    this.#scope = scope;
    if (condition) checkCondition('ConditionExpression', condition.ast, scope);
  }

  check(table: Table, row: Row | undefined): void {
    if (!this.#condition) return;
    if (!meets(this.#condition, row ? table.read(row) : {}, this.#scope)) throw new ConditionFailed(table, row);
  }
}

export class ConditionFailed extends AwsError {
  readonly table: Table;
  readonly row: Row | undefined;

  constructor(table: Table, row: Row | undefined) {
    super('ConditionalCheckFailedException', 'The conditional request failed');
    this.table = table;
    this.row = row;
  }
}
