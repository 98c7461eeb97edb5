import { validationException } from '../../common-errors.ts';
import { typeOf, type Value, type ValueType } from '../values/value.ts';
import { checkDistinctPaths } from './check-paths.ts';
import { type Scope } from './scope.ts';
import { type Action, type Term } from './update.ts';

const SPELT_OUT: Partial<Record<ValueType, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  NULL: 'NULL',
  BOOL: 'BOOLEAN',
  L: 'LIST',
  M: 'MAP',
};

/** Refuses an update that is wrong for every item. */
export function checkUpdate(actions: readonly Action[], scope: Scope): void {
  if (actions.length > 1)
    checkDistinctPaths(
      'UpdateExpression',
      actions.map(({ path }) => path),
      scope,
    );
  for (const action of actions) {
    if (action.kind === 'set') checkTerm(action.term, scope);
    else if (action.kind !== 'remove') checkAmount(action.kind, scope.values[action.ref] as Value);
  }
}

/** ADD takes a number or a set, DELETE takes a set. */
function checkAmount(kind: 'add' | 'delete', value: Value): void {
  const type = typeOf(value);
  if (value instanceof Set || (kind === 'add' && type === 'N')) return;
  throw validationException(
    `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ${kind.toUpperCase()}, operand type: ${SPELT_OUT[type]}`,
  );
}

function checkTerm(term: Term, scope: Scope): void {
  switch (term.kind) {
    case 'sum':
      checkOperands(term.sign, [term.left, term.right], 'N', scope);
      break;
    case 'list_append':
      checkOperands(term.kind, [term.left, term.right], 'L', scope);
      break;
    case 'if_not_exists':
      checkTerm(term.otherwise, scope);
  }
}

function checkOperands(name: string, terms: readonly Term[], expected: ValueType, scope: Scope): void {
  for (const term of terms) {
    checkTerm(term, scope);
    if (term.kind !== 'value') continue;
    const type = typeOf(scope.values[term.ref] as Value);
    if (type === expected) continue;
    throw validationException(
      `Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`,
    );
  }
}
