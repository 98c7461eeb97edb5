import type { ErrorDetail } from '../../errors.ts';
import { type Condition, endedBy, newWork, type Outcome, refusedCondition, someObject } from './condition.ts';
import { isJsonObject, memberOf } from './json-value.ts';
import { fieldCondition } from './leaf.ts';
import { type Position, positionIn } from './position.ts';

/** Whether a parsed event passes. Takes time proportional to the size of pattern × event at most. */
export type EventMatcher = (event: unknown) => Outcome;

export type CompiledPattern = { ok: true; matches: EventMatcher } | { ok: false; details: readonly ErrorDetail[] };

/**
 * Compiles a pattern of Amazon EventBridge. Differences, as decided for this service: numbers are compared by value and
 * have no range, `exists` looks at any value, and conditions below an array of objects must hold within one element.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function compilePattern(pattern: unknown, path: string): CompiledPattern {
  const details: ErrorDetail[] = [];
  const condition = objectCondition(pattern, positionIn(details, path));
  if (details.length > 0) return { ok: false, details };
  return { ok: true, matches: (event) => someObject(event, condition, newWork()) };
}

const OR = '$or';

function objectCondition(pattern: unknown, position: Position): Condition {
  if (!isJsonObject(pattern)) return refusedCondition(position, 'must be a JSON object of fields');
  const conditions = Object.entries(pattern).map(([name, value]): Condition => {
    const at = position.in(name);
    if (name === OR) return alternativesCondition(value, at);
    if (Array.isArray(value)) return fieldCondition(name, value, at);
    if (!isJsonObject(value)) return refusedCondition(at, 'must be an array of values, or an object of fields');
    const condition = objectCondition(value, at);
    return { ...condition, test: (object, work) => someObject(memberOf(object, name), condition, work) };
  });
  if (conditions.length === 0) return refusedCondition(position, 'must name at least one field');
  return endedBy(false, conditions);
}

function alternativesCondition(value: unknown, position: Position): Condition {
  if (!Array.isArray(value) || value.length < 2)
    return refusedCondition(position, 'must be an array of at least two patterns');
  return endedBy(
    true,
    value.map((alternative: unknown, index) => objectCondition(alternative, position.in(index))),
  );
}
