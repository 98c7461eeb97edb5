import { isJsonObject, type Scalar } from './json-value.ts';
import type { Position } from './position.ts';
import { TEXT_OPERATORS, type TextTest } from './text-operators.ts';

const FORM =
  'must be a string, a number, an array of only strings or only numbers, or an object with one of prefix, suffix, equals-ignore-case and wildcard';

/** Any scalar except the excluded ones. A value of another type than theirs is never excluded. */
export function anythingButTest(excluded: unknown, position: Position): (value: Scalar) => boolean {
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
