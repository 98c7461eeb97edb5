import { arnPattern, wildcard } from '../../../shared/domain/target/arn-pattern.ts';

/** Condition keys of a request. Names are in lower case, because IAM ignores their case. */
export type Context = Readonly<Record<string, string>>;
export type PolicyCondition = (context: Context) => boolean;

type Test = (expected: string) => (actual: string) => boolean;

const equals: Test = (expected) => (actual) => actual === expected;
const equalsIgnoreCase: Test = (expected) => (actual) => actual.toLowerCase() === expected.toLowerCase();
const bool: Test = (expected) => (actual) => actual.toLowerCase() === expected.toLowerCase();
const numeric =
  (compare: (actual: number, expected: number) => boolean): Test =>
  (expected) =>
  (actual) =>
    compare(Number(actual), Number(expected));

/** A negated operator holds if no expected value matches, or if the key is missing. */
interface Operator {
  readonly test: Test;
  readonly negated?: true;
}

const operators: Readonly<Record<string, Operator>> = {
  StringEquals: { test: equals },
  StringNotEquals: { test: equals, negated: true },
  StringEqualsIgnoreCase: { test: equalsIgnoreCase },
  StringNotEqualsIgnoreCase: { test: equalsIgnoreCase, negated: true },
  StringLike: { test: (expected) => wildcard(expected) },
  StringNotLike: { test: (expected) => wildcard(expected), negated: true },
  ArnEquals: { test: (expected) => arnPattern(expected) },
  ArnLike: { test: (expected) => arnPattern(expected) },
  ArnNotEquals: { test: (expected) => arnPattern(expected), negated: true },
  ArnNotLike: { test: (expected) => arnPattern(expected), negated: true },
  Bool: { test: bool },
  NumericEquals: { test: numeric((actual, expected) => actual === expected) },
  NumericNotEquals: { test: numeric((actual, expected) => actual === expected), negated: true },
  NumericLessThan: { test: numeric((actual, expected) => actual < expected) },
  NumericLessThanEquals: { test: numeric((actual, expected) => actual <= expected) },
  NumericGreaterThan: { test: numeric((actual, expected) => actual > expected) },
  NumericGreaterThanEquals: { test: numeric((actual, expected) => actual >= expected) },
};

export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Every line of a condition block must hold. Throws for an unknown operator, with its name. */
export function policyConditionOf(conditions: Conditions): PolicyCondition {
  const lines = Object.entries(conditions).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => line(operator, key.toLowerCase(), expected)),
  );
  return (context) => lines.every((holds) => holds(context));
}

function line(text: string, key: string, expected: readonly string[]): PolicyCondition {
  if (text === 'Null') {
    return (context) => expected.some((value) => (value === 'true') === (context[key] === undefined));
  }
  const [, set, name = '', ifExists] = /^(ForAllValues:|ForAnyValue:)?(\w+?)(IfExists)?$/.exec(text) ?? [];
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!operator) throw new Error(`the condition operator ${text} is not interpreted`);
  const tests = expected.map((value) => operator.test(value));
  // A request has at most one value of a key, so a set operator differs only for a missing key.
  const whenMissing =
    ifExists !== undefined || set === 'ForAllValues:' || (operator.negated === true && set === undefined);
  return (context) => {
    const actual = context[key];
    if (actual === undefined) return whenMissing;
    const fits = tests.some((test) => test(actual));
    return operator.negated ? !fits : fits;
  };
}
