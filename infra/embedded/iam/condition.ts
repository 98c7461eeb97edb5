import { arnPattern, wildcard } from './pattern.ts';

/** Condition keys of a request, names in lower case: IAM compares them without case. */
export type Context = Readonly<Record<string, string>>;
export type Condition = (context: Context) => boolean;

type Test = (wanted: string) => (given: string) => boolean;

const equals: Test = (wanted) => (given) => given === wanted;
const equalsIgnoreCase: Test = (wanted) => (given) => given.toLowerCase() === wanted.toLowerCase();
const bool: Test = (wanted) => (given) => given.toLowerCase() === wanted.toLowerCase();
const numeric =
  (compare: (given: number, wanted: number) => boolean): Test =>
  (wanted) =>
  (given) =>
    compare(Number(given), Number(wanted));

/** A negated operator holds when none of the wanted values fits, also when the key is missing. */
interface Operator {
  readonly test: Test;
  readonly negated?: true;
}

const operators: Readonly<Record<string, Operator>> = {
  StringEquals: { test: equals },
  StringNotEquals: { test: equals, negated: true },
  StringEqualsIgnoreCase: { test: equalsIgnoreCase },
  StringNotEqualsIgnoreCase: { test: equalsIgnoreCase, negated: true },
  StringLike: { test: (wanted) => wildcard(wanted) },
  StringNotLike: { test: (wanted) => wildcard(wanted), negated: true },
  ArnEquals: { test: (wanted) => arnPattern(wanted) },
  ArnLike: { test: (wanted) => arnPattern(wanted) },
  ArnNotEquals: { test: (wanted) => arnPattern(wanted), negated: true },
  ArnNotLike: { test: (wanted) => arnPattern(wanted), negated: true },
  Bool: { test: bool },
  NumericEquals: { test: numeric((given, wanted) => given === wanted) },
  NumericNotEquals: { test: numeric((given, wanted) => given === wanted), negated: true },
  NumericLessThan: { test: numeric((given, wanted) => given < wanted) },
  NumericLessThanEquals: { test: numeric((given, wanted) => given <= wanted) },
  NumericGreaterThan: { test: numeric((given, wanted) => given > wanted) },
  NumericGreaterThanEquals: { test: numeric((given, wanted) => given >= wanted) },
};

export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Every line of a condition block must hold. Throws, naming it, for an operator that is not known. */
export function conditionOf(conditions: Conditions): Condition {
  const lines = Object.entries(conditions).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, wanted]) => line(operator, key.toLowerCase(), wanted)),
  );
  return (context) => lines.every((holds) => holds(context));
}

function line(spelling: string, key: string, wanted: readonly string[]): Condition {
  if (spelling === 'Null') {
    return (context) => wanted.some((value) => (value === 'true') === (context[key] === undefined));
  }
  const [, set, name = '', ifExists] =
    /^(ForAllValues:|ForAnyValue:)?(\w+?)(IfExists)?$/.exec(spelling) ?? [];
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!operator) throw new Error(`the condition operator ${spelling} is not interpreted`);
  const tests = wanted.map((value) => operator.test(value));
  // A request has at most one value of a key here, so a set operator differs only in what a missing key means.
  const whenMissing =
    ifExists !== undefined || set === 'ForAllValues:' || (operator.negated === true && set === undefined);
  return (context) => {
    const given = context[key];
    if (given === undefined) return whenMissing;
    const fits = tests.some((test) => test(given));
    return operator.negated ? !fits : fits;
  };
}
