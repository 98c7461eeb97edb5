import { AwsError } from '../call.ts';
import { itemOfError } from './attribute-value.ts';
import { parseCondition, type Expression } from './expression/cache.ts';
import { checkCondition } from './expression/check-condition.ts';
import { type Condition } from './expression/condition.ts';
import { meets } from './expression/evaluate.ts';
import { type Scope } from './expression/scope.ts';
import { type Meter } from './meter.ts';
import { oneOf, optionalText, type Input } from './request.ts';
import { type Row } from './row.ts';
import { type Table, type TakenItem } from './table.ts';
import { type Attributes } from './value.ts';

/** A write whose request is in order: what it will do depends only on the item. */
export interface PlannedWrite {
  readonly table: Table;
  readonly key: Attributes;
  /** What is to become of the item; throws if the condition fails or the item does not allow it. */
  decide(): Change;
}

export interface Change {
  readonly table: Table;
  readonly before: Row | undefined;
  /** Undefined: deleted. `before` itself: only looked at. */
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

export function conditionOf(input: Input): Expression<Condition> | undefined {
  const text = optionalText(input, 'ConditionExpression');
  return text === undefined ? undefined : parseCondition(text);
}

/** A condition with its scope, as one question about a row. */
export class Guard {
  private readonly condition: Condition | undefined;
  private readonly scope: Scope;
  private readonly givesOld: boolean;

  constructor(input: Input, condition: Expression<Condition> | undefined, scope: Scope) {
    this.condition = condition?.ast;
    this.scope = scope;
    this.givesOld = oneOf(input, 'ReturnValuesOnConditionCheckFailure', ['ALL_OLD', 'NONE']) === 'ALL_OLD';
    if (condition) checkCondition('ConditionExpression', condition.ast, scope);
  }

  check(table: Table, row: Row | undefined): void {
    if (!this.condition) return;
    const item = row ? table.read(row) : {};
    if (meets(this.condition, item, this.scope)) return;
    throw new ConditionFailed(table, row, this.givesOld && row ? item : undefined);
  }
}

export class ConditionFailed extends AwsError {
  readonly table: Table;
  readonly row: Row | undefined;

  constructor(table: Table, row: Row | undefined, item: Attributes | undefined) {
    super('ConditionalCheckFailedException', 'The conditional request failed', {
      members: item ? { Item: itemOfError(item) } : {},
    });
    this.table = table;
    this.row = row;
  }
}
