import type { Scalar } from './json-value.ts';
import type { Position } from './position.ts';

type Comparison = (value: number, bound: number) => boolean;

const COMPARISONS: ReadonlyMap<unknown, Comparison> = new Map([
  ['=', (value: number, bound: number) => value === bound],
  ['<', (value: number, bound: number) => value < bound],
  ['<=', (value: number, bound: number) => value <= bound],
  ['>', (value: number, bound: number) => value > bound],
  ['>=', (value: number, bound: number) => value >= bound],
]);
const isLower = (operator: unknown) => operator === '>' || operator === '>=';
const isUpper = (operator: unknown) => operator === '<' || operator === '<=';

const FORM = 'must be an array such as [">=", 0] or [">", 0, "<=", 5]';

/** Numbers that fulfil one comparison, or lie in a range with a lower and then an upper bound. */
export function numericTest(argument: unknown, position: Position): (value: Scalar) => boolean {
  const parts: readonly unknown[] = Array.isArray(argument) ? argument : [];
  if (parts.length !== 2 && parts.length !== 4) return position.refuse(FORM);
  const [operator, bound, upperOperator, upperBound] = parts;
  const passes = comparison(operator, bound, [position.in(0), position.in(1)]);
  if (parts.length === 2) return (value) => typeof value === 'number' && passes(value);
  const passesUpper = comparison(upperOperator, upperBound, [position.in(2), position.in(3)]);
  if (!isLower(operator) || !isUpper(upperOperator)) {
    return position.refuse('must have the lower bound, > or >=, before the upper one, < or <=');
  }
  if (isEmptyRange(parts)) return position.refuse('must have a lower bound below the upper one');
  return (value) => typeof value === 'number' && passes(value) && passesUpper(value);
}

function comparison(
  operator: unknown,
  bound: unknown,
  [operatorPosition, boundPosition]: readonly [Position, Position],
): (value: number) => boolean {
  const compare = COMPARISONS.get(operator);
  if (!compare) return operatorPosition.refuse('must be =, <, <=, > or >=');
  if (typeof bound !== 'number' || !Number.isFinite(bound)) return boundPosition.refuse('must be a number');
  return (value) => compare(value, bound);
}

function isEmptyRange([lower, from, upper, to]: readonly unknown[]): boolean {
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  return from > to || (from === to && !(lower === '>=' && upper === '<='));
}
