import type { Scalar } from './json-value.ts';
import type { Place } from './place.ts';

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
export function numericTest(argument: unknown, place: Place): (value: Scalar) => boolean {
  const parts: readonly unknown[] = Array.isArray(argument) ? argument : [];
  if (parts.length !== 2 && parts.length !== 4) return place.refuse(FORM);
  const [operator, bound, upperOperator, upperBound] = parts;
  const passes = comparison(operator, bound, [place.in(0), place.in(1)]);
  if (parts.length === 2) return (value) => typeof value === 'number' && passes(value);
  const passesUpper = comparison(upperOperator, upperBound, [place.in(2), place.in(3)]);
  if (!isLower(operator) || !isUpper(upperOperator)) {
    return place.refuse('must have the lower bound, > or >=, before the upper one, < or <=');
  }
  if (isEmptyRange(parts)) return place.refuse('must have a lower bound below the upper one');
  return (value) => typeof value === 'number' && passes(value) && passesUpper(value);
}

function comparison(
  operator: unknown,
  bound: unknown,
  [operatorPlace, boundPlace]: readonly [Place, Place],
): (value: number) => boolean {
  const compare = COMPARISONS.get(operator);
  if (!compare) return operatorPlace.refuse('must be =, <, <=, > or >=');
  if (typeof bound !== 'number' || !Number.isFinite(bound)) return boundPlace.refuse('must be a number');
  return (value) => compare(value, bound);
}

function isEmptyRange([lower, from, upper, to]: readonly unknown[]): boolean {
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  return from > to || (from === to && !(lower === '>=' && upper === '<='));
}
