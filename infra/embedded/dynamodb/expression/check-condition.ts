import { order } from '../values/compare.ts';
import { validationException } from '../../common-errors.ts';
import { typeOf, type Value, type ValueType } from '../values/value.ts';
import { type Condition, type ConditionFunction, type Operand } from './condition.ts';
import { pathText, type Scope } from './scope.ts';

const ORDERED: readonly ValueType[] = ['S', 'N', 'B'];

/** Refuses a condition that is wrong for every item: an operand has a type that its operator never takes. */
export function checkCondition(member: string, condition: Condition, scope: Scope): void {
  const problem = problemOf(condition, scope);
  if (problem !== undefined) throw validationException(`Invalid ${member}: ${problem}`);
}

function problemOf(condition: Condition, scope: Scope): string | undefined {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return problemOf(condition.left, scope) ?? problemOf(condition.right, scope);
    case 'not':
      return problemOf(condition.condition, scope);
    case 'compare':
      return (
        (condition.operator === '=' || condition.operator === '<>'
          ? undefined
          : notOneOf(ORDERED, 'operator', condition.operator, [condition.left, condition.right], scope)) ??
        sameTwice(condition.operator, [condition.left, condition.right], scope)
      );
    case 'between':
      return (
        notOneOf(ORDERED, 'operator', 'BETWEEN', [condition.operand, condition.low, condition.high], scope) ??
        ofBounds(condition.low, condition.high, scope)
      );
    case 'in':
      return undefined;
    case 'function':
      return ofFunction(condition.name, condition.operands, scope);
  }
}

function ofFunction(name: ConditionFunction, operands: readonly Operand[], scope: Scope): string | undefined {
  if (name !== 'begins_with' && name !== 'contains') return undefined;
  const twice = sameTwice(name, operands, scope);
  return twice ?? (name === 'contains' ? undefined : notOneOf(['S'], 'operator or function', name, operands, scope));
}

function ofBounds(low: Operand, high: Operand, scope: Scope): string | undefined {
  const [lower, upper] = [literal(low, scope), literal(high, scope)];
  if (lower === undefined || upper === undefined) return undefined;
  const bounds = `lower bound operand: AttributeValue: ${valueText(lower)}, upper bound operand: AttributeValue: ${valueText(upper)}`;
  if (typeOf(lower) !== typeOf(upper)) {
    return `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`;
  }
  if ((order(lower, upper) ?? 0) <= 0) return undefined;
  return `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`;
}

function sameTwice(name: string, [first, second]: readonly Operand[], scope: Scope): string | undefined {
  if (first?.kind !== 'path' || second?.kind !== 'path') return undefined;
  const text = pathText(first.path, scope);
  if (text !== pathText(second.path, scope)) return undefined;
  return `The first operand must be distinct from the remaining operands for this operator or function; operator: ${name}, first operand: ${text}`;
}

function notOneOf(
  types: readonly ValueType[],
  what: string,
  name: string,
  operands: readonly Operand[],
  scope: Scope,
): string | undefined {
  for (const operand of operands) {
    const value = literal(operand, scope);
    if (value === undefined || types.includes(typeOf(value))) continue;
    return `Incorrect operand type for operator or function; ${what}: ${name}, operand type: ${typeOf(value)}`;
  }
  return undefined;
}

function literal(operand: Operand, scope: Scope): Value | undefined {
  return operand.kind === 'value' ? scope.values[operand.ref] : undefined;
}

function valueText(value: Value): string {
  const type = typeOf(value);
  return `{${type}:${type === 'B' ? Buffer.from(value as Uint8Array).toString('base64') : String(value)}}`;
}
