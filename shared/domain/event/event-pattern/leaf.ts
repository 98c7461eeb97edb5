import { cidrTest } from './address-block.ts';
import { type Condition, refusedCondition, type ScalarTest, someScalar } from './condition.ts';
import { isJsonObject, isScalar, memberOf, type JsonObject, type Scalar } from './json-value.ts';
import { numericTest } from './numeric-range.ts';
import type { Position } from './position.ts';
import { prefixIgnoringCase, suffixIgnoringCase, TEXT_OPERATORS, type TextTest } from './text-operators.ts';

const IGNORING_CASE: ReadonlyMap<string, (wanted: string) => TextTest> = new Map([
  ['prefix', prefixIgnoringCase],
  ['suffix', suffixIgnoringCase],
]);
const OTHER_OPERATORS: ReadonlyMap<string, (argument: unknown, position: Position) => ScalarTest> = new Map([
  ['anything-but', anythingButTest],
  ['numeric', numericTest],
  ['cidr', cidrTest],
]);
const OPERATORS = [...TEXT_OPERATORS.keys(), ...OTHER_OPERATORS.keys(), 'exists'];

/** The alternatives for one field: it passes when it fulfils any of them. */
export function fieldCondition(name: string, alternatives: readonly unknown[], position: Position): Condition {
  if (alternatives.length === 0) return refusedCondition(position, 'must not be empty');
  const exact = new Set<Scalar>();
  const tests: ScalarTest[] = [(value) => exact.has(value)];
  const existence = new Set<boolean>();
  for (const [index, alternative] of alternatives.entries()) {
    const at = position.in(index);
    if (isJsonObject(alternative)) {
      const exists = memberOf(alternative, 'exists');
      if (typeof exists === 'boolean' && Object.keys(alternative).length === 1) existence.add(exists);
      else tests.push(operatorTest(alternative, at));
    } else if (isScalar(alternative) && !isInfinite(alternative)) exact.add(alternative);
    else at.refuse('must be a string, a number, true, false, null or an object with one operator');
  }
  return {
    test(object, work) {
      const isPresent = Object.hasOwn(object, name);
      if (existence.has(isPresent)) return true;
      return isPresent && someScalar(object[name], tests, work);
    },
    passesNothing: existence.has(false),
    size: tests.length,
  };
}

/** `1e999` is valid JSON and no number. */
const isInfinite = (value: Scalar) => typeof value === 'number' && !Number.isFinite(value);

function operatorTest(alternative: JsonObject, position: Position): ScalarTest {
  const [[name, argument] = ['', undefined], ...others] = Object.entries(alternative);
  if (others.length > 0 || !OPERATORS.includes(name)) {
    return position.refuse(`must be an object with one operator: ${OPERATORS.join(', ')}`);
  }
  const at = position.in(name);
  const other = OTHER_OPERATORS.get(name);
  if (other) return other(argument, at);
  const textOperator = TEXT_OPERATORS.get(name);
  if (!textOperator) return at.refuse('must be true or false');
  const test = typeof argument === 'string' ? textOperator(argument, at) : ignoringCase(name, argument, at);
  return (value) => typeof value === 'string' && test(value);
}

/** `{"prefix": {"equals-ignore-case": "…"}}`, and the same with `suffix`. */
function ignoringCase(name: string, argument: unknown, position: Position): TextTest {
  const operator = IGNORING_CASE.get(name);
  if (!operator) return position.refuse('must be a string');
  const wanted = isJsonObject(argument) ? memberOf(argument, 'equals-ignore-case') : undefined;
  if (typeof wanted !== 'string' || Object.keys(Object(argument)).length !== 1) {
    return position.refuse('must be a string, or {"equals-ignore-case": "…"}');
  }
  return operator(wanted);
}

const FORM =
  'must be a string, a number, an array of only strings or only numbers, or an object with one of prefix, suffix, equals-ignore-case and wildcard';

/** Any scalar except the excluded ones. A value of another type than theirs is never excluded. */
function anythingButTest(excluded: unknown, position: Position): (value: Scalar) => boolean {
  if (isJsonObject(excluded)) return anythingButText(excluded, position);
  const values: readonly unknown[] = Array.isArray(excluded) ? excluded : [excluded];
  const isList = values.every((value) => typeof value === 'string') || values.every((value) => Number.isFinite(value));
  if (!isList || values.length === 0) return position.refuse(FORM);
  const set = new Set(values);
  return (value) => !set.has(value);
}

function anythingButText(excluded: object, position: Position): (value: Scalar) => boolean {
  const [[name, argument] = ['', undefined], ...others] = Object.entries(excluded);
  const operator = TEXT_OPERATORS.get(name);
  if (!operator || others.length > 0) return position.refuse(FORM);
  const texts: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
  if (texts.length === 0) return position.in(name).refuse('must not be empty');
  const tests: TextTest[] = texts.map((text, index) => {
    const at = Array.isArray(argument) ? position.in(name).in(index) : position.in(name);
    return typeof text === 'string' && text !== ''
      ? operator(text, at)
      : at.refuse('must be a string that is not empty');
  });
  return (value) => typeof value !== 'string' || !tests.some((test) => test(value));
}
