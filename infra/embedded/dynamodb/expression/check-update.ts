import { validationException } from '../../common-errors.ts';
import { typeOf, type Value } from '../values/value.ts';
import { checkDistinctPaths } from './check-paths.ts';
import { type Scope } from './scope.ts';
import { type Action } from './update.ts';

/** Refuses an update that is wrong for every item. */
export function checkUpdate(actions: readonly Action[], scope: Scope): void {
  if (actions.length > 1)
    checkDistinctPaths(
      'UpdateExpression',
      actions.map(({ path }) => path),
      scope,
    );
  for (const action of actions)
    if (action.kind === 'add' || action.kind === 'delete') checkAmount(action.kind, scope.values[action.ref] as Value);
}

/** ADD takes a number or a set, DELETE takes a set. */
function checkAmount(kind: 'add' | 'delete', value: Value): void {
  if (value instanceof Set || (kind === 'add' && typeof value === 'number')) return;
  throw validationException(
    `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ${kind.toUpperCase()}, operand type: ${typeOf(value)}`,
  );
}
