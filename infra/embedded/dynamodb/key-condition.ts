import { type Expression } from './expression/cache.ts';
import { checkCondition } from './expression/check-condition.ts';
import { type Comparator, type Condition, type Operand } from './expression/condition.ts';
import { headOf, type Scope } from './expression/scope.ts';
import { validationException } from '../common-errors.ts';
import { invalidParameter } from './errors.ts';
import { checkKeyPart, sortable } from './values/key.ts';
import { firstIndex, lowerBound, type Rows } from './rows/row.ts';
import { type KeyAttribute, type KeySchema } from './table-spec.ts';
import { typeOf, type Value } from './values/value.ts';

type RangeOperator = '=' | '<' | '<=' | '>' | '>=' | 'between' | 'begins_with';

interface Test {
  readonly operator: RangeOperator;
  readonly values: readonly Value[];
}

/** A partition, and a range of its sort keys. */
export interface KeyRange {
  readonly partition: string;
  /** Undefined for the whole partition. */
  readonly sort?: { readonly operator: RangeOperator; readonly low: string; readonly high: string };
}

export function keyRange(expression: Expression<Condition>, scope: Scope, { hash, range }: KeySchema): KeyRange {
  checkCondition('KeyConditionExpression', expression.ast, scope);
  const tests = new Map<string, Test>();
  collect(expression.ast, scope, tests);
  if (tests.size > 2) throw validationException('Conditions can be of length 1 or 2 only');
  const hashTest = tests.get(hash.name);
  if (!hashTest) throw validationException(`Query condition missed key schema element: ${hash.name}`);
  const rangeTest = tests.get(range.name);
  if (tests.size > 1 && !rangeTest)
    throw validationException(`Query condition missed key schema element: ${range.name}`);
  checkTest(hashTest, hash);
  if (hashTest.operator !== '=') throw validationException('Query key condition not supported');
  checkKeyPart({ [hash.name]: hashTest.values[0] as Value }, hash, true);
  const partition = sortable(hashTest.values[0] as Value);
  if (!rangeTest) return { partition };
  checkTest(rangeTest, range);
  for (const value of rangeTest.values) checkKeyPart({ [range.name]: value }, range, false);
  const [low = '', high = ''] = rangeTest.values.map(sortable);
  return { partition, sort: { operator: rangeTest.operator, low, high } };
}

/** The rows of a partition that meet the condition: from the first index to before the second. */
export function boundsIn(rows: Rows, { sort }: KeyRange): readonly [from: number, to: number] {
  if (!sort) return [0, rows.length];
  const { operator, low, high } = sort;
  switch (operator) {
    case '=':
      return [lowerBound(rows, low), behind(rows, low)];
    case '<':
      return [0, lowerBound(rows, low)];
    case '<=':
      return [0, behind(rows, low)];
    case '>':
      return [behind(rows, low), rows.length];
    case '>=':
      return [lowerBound(rows, low), rows.length];
    case 'between':
      return [lowerBound(rows, low), behind(rows, high)];
    case 'begins_with':
      return [lowerBound(rows, low), firstIndex(rows, (text) => text > low && !text.startsWith(low))];
  }
}

const behind = (rows: Rows, text: string) => firstIndex(rows, (sort) => sort > text);

function checkTest({ values }: Test, { type }: KeyAttribute): void {
  if (values.every((value) => typeOf(value) === type)) return;
  throw invalidParameter('Condition parameter type does not match schema type');
}

const MIRRORED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** Splits a conjunction into one test per attribute. Any other condition is not a key condition. */
function collect(condition: Condition, scope: Scope, tests: Map<string, Test>): void {
  switch (condition.kind) {
    case 'and':
      collect(condition.left, scope, tests);
      collect(condition.right, scope, tests);
      return;
    case 'compare':
      if (condition.operator === '<>') throw invalidOperator('<>');
      addComparison(condition.operator, condition.left, condition.right, scope, tests);
      return;
    case 'between':
      addFirst('between', 'BETWEEN', [condition.operand, condition.low, condition.high], scope, tests);
      return;
    case 'function':
      if (condition.name !== 'begins_with') throw invalidOperator(condition.name);
      addFirst('begins_with', 'begins_with', condition.operands, scope, tests);
      return;
    default:
      throw invalidOperator(condition.kind.toUpperCase());
  }
}

function addComparison(
  operator: Exclude<Comparator, '<>'>,
  left: Operand,
  right: Operand,
  scope: Scope,
  tests: Map<string, Test>,
): void {
  if (left.kind === 'path') add(operator, left, [right], scope, tests);
  else add(MIRRORED[operator], right, [left], scope, tests);
}

function addFirst(
  operator: RangeOperator,
  shown: string,
  [first, ...rest]: readonly Operand[],
  scope: Scope,
  tests: Map<string, Test>,
): void {
  if (first?.kind !== 'path') {
    throw validationException(
      `Invalid condition in KeyConditionExpression: ${shown} operator must have the key attribute as its first operand`,
    );
  }
  add(operator, first, rest, scope, tests);
}

function add(
  operator: RangeOperator,
  attribute: Operand,
  operands: readonly Operand[],
  scope: Scope,
  tests: Map<string, Test>,
): void {
  if ([attribute, ...operands].some(({ kind }) => kind === 'size')) {
    throw validationException('KeyConditionExpressions cannot contain nested operations');
  }
  if (attribute.kind !== 'path')
    throw validationException('Invalid condition in KeyConditionExpression: No key attribute specified');
  const values = operands.map((operand) => {
    if (operand.kind === 'value') return scope.values[operand.ref] as Value;
    throw validationException(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    );
  });
  if (attribute.path.length > 1) {
    throw validationException('KeyConditionExpressions cannot have conditions on nested attributes');
  }
  const name = headOf(attribute.path, scope);
  if (tests.has(name)) throw validationException('KeyConditionExpressions must only contain one condition per key');
  tests.set(name, { operator, values });
}

function invalidOperator(operator: string): Error {
  return validationException(`Invalid operator used in KeyConditionExpression: ${operator}`);
}
