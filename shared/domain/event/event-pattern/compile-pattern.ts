import type { ErrorDetail } from '../../errors.ts';
import { isJsonObject, type JsonObject, memberOf, someObject } from './json-value.ts';
import { fieldCondition } from './leaf.ts';
import { type Position, positionIn } from './position.ts';

/** Whether a parsed event passes. Takes time proportional to the size of pattern × event at most. */
export type EventMatcher = (event: unknown) => boolean;

export type CompiledPattern =
  | { ok: true; matches: EventMatcher }
  | { ok: false; details: readonly ErrorDetail[] };

/**
 * Compiles a pattern of Amazon EventBridge. Differences, as decided for this service: numbers are compared by value and have no range,
 * `exists` looks at any value, and conditions below an array of objects must hold within one element.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function compilePattern(pattern: unknown, path: string): CompiledPattern {
  const details: ErrorDetail[] = [];
  const condition = objectCondition(pattern, positionIn(details, path));
  if (details.length > 0) return { ok: false, details };
  return { ok: true, matches: (event) => someObject(event, condition) };
}

type Condition = (object: JsonObject) => boolean;

const OR = '$or';

function objectCondition(pattern: unknown, position: Position): Condition {
  if (!isJsonObject(pattern)) return position.refuse('must be a JSON object of fields');
  const conditions = Object.entries(pattern).map(([name, value]): Condition => {
    const at = position.in(name);
    if (name === OR) return alternativesCondition(value, at);
    if (Array.isArray(value)) return fieldCondition(name, value, at);
    if (!isJsonObject(value)) return at.refuse('must be an array of values, or an object of fields');
    const condition = objectCondition(value, at);
    return (object) => someObject(memberOf(object, name), condition);
  });
  if (conditions.length === 0) return position.refuse('must name at least one field');
  return (object) => conditions.every((condition) => condition(object));
}

function alternativesCondition(value: unknown, position: Position): Condition {
  if (!Array.isArray(value) || value.length < 2)
    return position.refuse('must be an array of at least two patterns');
  const alternatives = value.map((alternative: unknown, index) =>
    objectCondition(alternative, position.in(index)),
  );
  return (object) => alternatives.some((condition) => condition(object));
}
