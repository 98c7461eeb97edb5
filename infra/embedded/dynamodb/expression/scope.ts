import { validationException } from '../../common-errors.ts';
import { attribute, isMap, type Attributes, type Value } from '../values/value.ts';
import { takeValue } from '../values/take-item.ts';
import { type Expression } from './cache.ts';
import { type Path, type Step } from './parser.ts';

/** The values of the placeholders of one request. */
export interface Scope {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
}

export const emptyScope: Scope = { names: {}, values: {} };

interface Placeholders {
  readonly ExpressionAttributeNames?: unknown;
  readonly ExpressionAttributeValues?: unknown;
}

type Named = readonly [member: string, expression: Expression<unknown> | undefined];

const NAME_REF = /^#[0-9a-zA-Z_]+$/;
const VALUE_REF = /^:[0-9a-zA-Z_]+$/;

/** Binds the placeholders of a request to its expressions. Every placeholder must be defined and used. */
export function bind(input: Placeholders, expressions: readonly Named[]): Scope {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input;
  if (names === undefined && values === undefined) {
    for (const [member, expression] of expressions) if (expression) checkDefined(member, expression, emptyScope);
    return emptyScope;
  }
  if (!expressions.some(([, expression]) => expression)) refuseWithoutExpression(names, expressions);
  const scope = {
    names: (names ?? {}) as Record<string, string>,
    values: takeValues((values ?? {}) as Record<string, unknown>),
  };
  if (names !== undefined) checkPlaceholderNames('ExpressionAttributeNames', scope.names, NAME_REF);
  if (values !== undefined) checkPlaceholderNames('ExpressionAttributeValues', scope.values, VALUE_REF);
  for (const [member, expression] of expressions) if (expression) checkDefined(member, expression, scope);
  checkUsed('ExpressionAttributeNames', scope.names, expressions, 'nameRefs');
  checkUsed('ExpressionAttributeValues', scope.values, expressions, 'valueRefs');
  return scope;
}

function refuseWithoutExpression(names: unknown, expressions: readonly Named[]): never {
  if (names !== undefined)
    throw validationException('ExpressionAttributeNames can only be specified when using expressions');
  const members = expressions.map(([member]) => member).filter((member) => member !== 'ProjectionExpression');
  throw validationException(
    `ExpressionAttributeValues can only be specified when using expressions: ${members.join(' and ')} ${members.length > 1 ? 'are' : 'is'} null`,
  );
}

function takeValues(source: Readonly<Record<string, unknown>>): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const ref in source) {
    const value = source[ref];
    if (value === undefined || typeof value === 'function') continue;
    values[ref] = typeof value === 'string' ? value : takeValue(value);
  }
  return values;
}

function checkPlaceholderNames(member: string, placeholders: Readonly<Record<string, unknown>>, pattern: RegExp): void {
  let count = 0;
  for (const ref in placeholders) {
    if (!pattern.test(ref)) throw validationException(`${member} contains invalid key: Syntax error; key: "${ref}"`);
    count += 1;
  }
  if (count === 0) throw validationException(`${member} must not be empty`);
}

function checkDefined(member: string, expression: Expression<unknown>, { names, values }: Scope): void {
  for (const ref of expression.nameRefs) {
    if (names[ref] === undefined) {
      throw validationException(
        `Invalid ${member}: An expression attribute name used in the document path is not defined; attribute name: ${ref}`,
      );
    }
  }
  for (const ref of expression.valueRefs) {
    if (values[ref] === undefined) {
      throw validationException(
        `Invalid ${member}: An expression attribute value used in expression is not defined; attribute value: ${ref}`,
      );
    }
  }
}

function checkUsed(
  member: string,
  placeholders: Readonly<Record<string, unknown>>,
  expressions: readonly Named[],
  refs: 'nameRefs' | 'valueRefs',
): void {
  let unused: string[] | undefined;
  for (const ref in placeholders) {
    if (!expressions.some(([, expression]) => expression?.[refs].includes(ref))) (unused ??= []).push(ref);
  }
  if (unused)
    throw validationException(`Value provided in ${member} unused in expressions: keys: {${unused.join(', ')}}`);
}

export function resolveStep(step: Step, scope: Scope): string {
  return 'name' in step ? step.name : (scope.names[step.ref] as string);
}

/** The name of the first attribute of a path. */
export function headOf(path: Path, scope: Scope): string {
  return resolveStep(path[0], scope);
}

/** The value at a path, if it exists. */
export function lookUp(path: Path, item: Attributes, scope: Scope): Value | undefined {
  let found: Value | undefined = item;
  for (const step of path) {
    found = isMap(found) ? attribute(found, resolveStep(step, scope)) : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** A path as in AWS's messages: `[a, b]`. */
export function pathText(path: Path, scope: Scope): string {
  return `[${path.map((step) => resolveStep(step, scope)).join(', ')}]`;
}
