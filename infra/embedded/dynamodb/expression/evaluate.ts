import { equals, order } from '../values/compare.ts';
import { type Attributes, type Value } from '../values/value.ts';
import { type Comparator, type Condition, type Operand } from './condition.ts';
import { lookUp, type Scope } from './scope.ts';

/** Whether an item meets a condition or filter. A missing item is `{}`. */
export function meets(condition: Condition, item: Attributes, scope: Scope): boolean {
  switch (condition.kind) {
    case 'and':
      return meets(condition.left, item, scope) && meets(condition.right, item, scope);
    case 'or':
      return meets(condition.left, item, scope) || meets(condition.right, item, scope);
    case 'not':
      return !meets(condition.condition, item, scope);
    case 'compare':
      return compares(condition.operator, valueOf(condition.left, item, scope), valueOf(condition.right, item, scope));
    case 'between': {
      const value = valueOf(condition.operand, item, scope);
      return (
        compares('>=', value, valueOf(condition.low, item, scope)) &&
        compares('<=', value, valueOf(condition.high, item, scope))
      );
    }
    case 'in': {
      const value = valueOf(condition.operand, item, scope);
      return condition.choices.some((choice) => compares('=', value, valueOf(choice, item, scope)));
    }
    case 'function': {
      const [first, second] = condition.operands;
      const value = first && valueOf(first, item, scope);
      return call(condition.name, value, second && valueOf(second, item, scope));
    }
  }
}

function call(name: string, value: Value | undefined, operand: Value | undefined): boolean {
  if (name === 'attribute_not_exists') return value === undefined;
  if (value === undefined) return false;
  if (name === 'attribute_exists') return true;
  if (operand === undefined) return false;
  return name === 'begins_with' ? beginsWith(value, operand) : contains(value, operand);
}

function compares(operator: Comparator, left: Value | undefined, right: Value | undefined): boolean {
  if (left === undefined || right === undefined) return operator === '<>' && left !== right;
  if (operator === '=') return equals(left, right);
  if (operator === '<>') return !equals(left, right);
  const result = order(left, right);
  if (result === undefined) return false;
  switch (operator) {
    case '<':
      return result < 0;
    case '<=':
      return result <= 0;
    case '>':
      return result > 0;
    case '>=':
      return result >= 0;
  }
}

function beginsWith(value: Value, prefix: Value): boolean {
  return typeof value === 'string' && typeof prefix === 'string' && value.startsWith(prefix);
}

function contains(value: Value, operand: Value): boolean {
  if (typeof value === 'string') return typeof operand === 'string' && value.includes(operand);
  if (value instanceof Set) return typeof operand === 'string' && value.has(operand);
  return Array.isArray(value) && value.some((member) => equals(member, operand));
}

function valueOf(operand: Operand, item: Attributes, scope: Scope): Value | undefined {
  switch (operand.kind) {
    case 'path':
      return lookUp(operand.path, item, scope);
    case 'value':
      return scope.values[operand.ref];
    case 'size': {
      const value = lookUp(operand.path, item, scope);
      return value === undefined ? undefined : sizeOf(value);
    }
  }
}

/** Bytes of a text or binary; number of members of a list, map or set. */
function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return value instanceof Set ? value.size : Object.keys(value).length;
}
