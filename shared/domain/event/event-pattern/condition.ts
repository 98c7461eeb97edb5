import { isJsonObject, isScalar, type JsonObject, type Scalar } from './json-value.ts';
import type { Position } from './position.ts';

/** A test of a scalar, which is not interrupted. */
export type ScalarTest = (value: Scalar) => boolean;

/** Long work in steps, each of which ends with a `yield`: a pattern of 4 KB may take seconds for an event of 1 MiB. */
export type Evaluation = Generator<undefined, boolean, undefined>;

/** Arrays and long texts are evaluated in steps. */
export type Outcome = boolean | Evaluation;

export function* stepsOf(outcome: Outcome): Evaluation {
  return typeof outcome === 'boolean' ? outcome : yield* outcome;
}

export interface Condition {
  test(object: JsonObject, work: Work): Outcome;
  /** The outcome for an object without members. */
  readonly passesNothing: boolean;
  /** Number of its tests. */
  readonly size: number;
}

/** Counts the tests of one evaluation. */
export interface Work {
  testsLeft: number;
}

/** The tests of a step. They take about a millisecond. */
const TESTS_PER_STEP = 10_000;
/** The characters of a text that take as long as one test. */
const CHARACTERS_PER_TEST = 4;
/** A longer text is tested in steps. */
const LONG_TEXT = 1_024;

export const newWork = (): Work => ({ testsLeft: TESTS_PER_STEP });

function* pause(work: Work): Generator<undefined, void, undefined> {
  work.testsLeft = TESTS_PER_STEP;
  yield;
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > LONG_TEXT;

/** Whether a scalar, or one in an array at any depth, passes one of the tests. */
export function someScalar(value: unknown, tests: readonly ScalarTest[], work: Work): Outcome {
  if (Array.isArray(value) || isLong(value)) return scalarInSteps(value, tests, work);
  return isScalar(value) && tests.some((test) => test(value));
}

function* scalarInSteps(value: unknown, tests: readonly ScalarTest[], work: Work): Evaluation {
  for (const element of elementsOf(value)) {
    if (isLong(element)) {
      for (const test of tests) {
        if (test(element)) return true;
        if ((work.testsLeft -= element.length / CHARACTERS_PER_TEST) < 0) yield* pause(work);
      }
    } else {
      if (isScalar(element) && tests.some((test) => test(element))) return true;
      if ((work.testsLeft -= tests.length) < 0) yield* pause(work);
    }
  }
  return false;
}

/**
 * Whether an object, or one in an array at any depth, passes. A value without objects stands for an object without
 * members.
 */
export function someObject(value: unknown, condition: Condition, work: Work): Outcome {
  if (Array.isArray(value)) return objectInSteps(value, condition, work);
  return isJsonObject(value) ? condition.test(value, work) : condition.passesNothing;
}

function* objectInSteps(array: readonly unknown[], condition: Condition, work: Work): Evaluation {
  let hasObject = false;
  for (const element of elementsOf(array)) {
    if ((work.testsLeft -= condition.size) < 0) yield* pause(work);
    if (!isJsonObject(element)) continue;
    hasObject = true;
    const outcome = condition.test(element, work);
    if (typeof outcome === 'boolean' ? outcome : yield* outcome) return true;
  }
  return !hasObject && condition.passesNothing;
}

/** The value, or the elements of an array at any depth. */
const elementsOf = (value: unknown): Iterable<unknown> => {
  if (!Array.isArray(value)) return [value];
  return value.some((element) => Array.isArray(element)) ? nestedElements(value) : value;
};

/** Without recursion: a component may emit arrays that nest deeper than the stack. */
function* nestedElements(array: readonly unknown[]): Generator<unknown> {
  const pending = [array];
  for (let elements = pending.pop(); elements; elements = pending.pop()) {
    for (const element of elements) {
      if (Array.isArray(element)) pending.push(element);
      else yield element;
    }
  }
}

/** A condition that passes as soon as one of these does, or that fails as soon as one of them fails. */
export function endedBy(wanted: boolean, conditions: readonly Condition[]): Condition {
  const [only, ...others] = conditions;
  if (only && others.length === 0) return only;
  return {
    test: (object, work) => outcomeOf(conditions, { wanted, object, work }),
    passesNothing: conditions.some(({ passesNothing }) => passesNothing === wanted) ? wanted : !wanted,
    size: conditions.reduce((sum, { size }) => sum + size, 1),
  };
}

interface Tested {
  wanted: boolean;
  object: JsonObject;
  work: Work;
}

function outcomeOf(conditions: readonly Condition[], tested: Tested): Outcome {
  const { wanted, object, work } = tested;
  let tests = 0;
  for (const condition of conditions) {
    tests += 1;
    const outcome = condition.test(object, work);
    if (outcome === wanted) return wanted;
    if (typeof outcome !== 'boolean') return outcomeAfter(outcome, conditions.slice(tests), tested);
  }
  return !wanted;
}

function* outcomeAfter(first: Evaluation, others: readonly Condition[], tested: Tested): Evaluation {
  if ((yield* first) === tested.wanted) return tested.wanted;
  const outcome = outcomeOf(others, tested);
  return typeof outcome === 'boolean' ? outcome : yield* outcome;
}

/** Records a problem. The result stands in for the condition that cannot be built. */
export function refusedCondition(position: Position, message: string): Condition {
  position.refuse(message);
  return { test: () => false, passesNothing: false, size: 1 };
}
