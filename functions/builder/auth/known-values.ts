import type { Expression, Super } from 'acorn';
import { type Known, NOTHING, type Scope } from './variable-scopes.ts';
import { staticName } from '../syntax-tree.ts';

/** Parts of an expression that are looked at to know its value: chains of `??` may have any length. */
const MAX_PARTS = 32;

/** The known part of an expression's value. From alternatives (`a ?? b`), those count that are an `$auth`. */
export function knownOf(expression: Expression | Super, scope: Scope | undefined): Known {
  const parts = partsOf(expression).map((part) => knownOfPart(part, scope));
  const auths = parts.filter(({ isAuth }) => isAuth);
  return auths.length > 0 ? { isAuth: true, name: onlyName(auths) } : { isAuth: false, name: onlyName(parts) };
}

function knownOfPart(part: Expression | Super, scope: Scope | undefined): Known {
  if (part.type === 'Identifier') return variable(part.name, scope);
  if (part.type !== 'MemberExpression') return NOTHING;
  const name = staticName(part.property, part.computed);
  if (name !== '$auth') return { isAuth: false, name };
  // Not `knownOf`: an object may be the member of a member, as deep as the code likes.
  const owners = partsOf(part.object).map((owner): Known => {
    if (owner.type === 'Identifier') return variable(owner.name, scope);
    if (owner.type !== 'MemberExpression') return NOTHING;
    return { isAuth: false, name: staticName(owner.property, owner.computed) };
  });
  return { isAuth: true, name: onlyName(owners) };
}

/** A variable of an unknown value is taken for what its name says. */
const variable = (name: string, scope: Scope | undefined): Known =>
  scope?.find(name)?.known ?? memberKnown(NOTHING, name);

/** The known part of a member of a value. */
export const memberKnown = ({ name: of }: Known, name: string | undefined): Known =>
  name === '$auth' ? { isAuth: true, name: of } : { isAuth: false, name };

/** The name that all parts have that have one. */
function onlyName(parts: readonly Known[]): string | undefined {
  const names = new Set(parts.flatMap(({ name }) => name ?? []));
  const [only] = names;
  return names.size === 1 ? only : undefined;
}

/** The parts of an expression, one of which is its value. */
function partsOf(expression: Expression | Super): (Expression | Super)[] {
  const parts: (Expression | Super)[] = [];
  const open = [expression];
  for (let looked = 0, next = open.pop(); next && looked < MAX_PARTS; looked += 1, next = open.pop()) {
    const alternatives = alternativesOf(next);
    if (alternatives.length === 0) parts.push(next);
    open.push(...alternatives);
  }
  return parts;
}

/** The expressions, one of which has the value of this expression; empty for an expression with a value of its own. */
function alternativesOf(expression: Expression | Super): Expression[] {
  switch (expression.type) {
    case 'ChainExpression':
      return [expression.expression];
    case 'AwaitExpression':
      return [expression.argument];
    case 'LogicalExpression':
      return [expression.left, expression.right];
    case 'ConditionalExpression':
      return [expression.consequent, expression.alternate];
    case 'SequenceExpression':
      return expression.expressions.slice(-1);
    case 'AssignmentExpression':
      return [expression.right];
    default:
      return [];
  }
}

/** Remembers the value of a variable. Two different values are known to be an `$auth`, but not of which prop. */
export function mark(name: string, known: Known, scope: Scope | undefined): void {
  if (!known.isAuth && known.name === undefined) return;
  const binding = scope?.find(name);
  if (!binding) return;
  const before = binding.known;
  if (!before || (known.isAuth && !before.isAuth)) binding.known = known;
  else if (known.isAuth === before.isAuth && known.name !== before.name)
    binding.known = { isAuth: before.isAuth, name: undefined };
}
