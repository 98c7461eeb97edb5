import { validationException } from '../../common-errors.ts';
import { attribute, give, isMap, type Attributes, type Value } from '../values/value.ts';
import { lookUp, resolveStep, type Scope } from './scope.ts';
import { type Path } from './parser.ts';
import { type Action, type Term } from './update.ts';
import { setOwn } from '../../own-member.ts';

/** The updated item. The original item does not change, and every right side reads the original item. */
export function applyUpdate(actions: readonly Action[], before: Attributes, scope: Scope): Attributes {
  const item = { ...before };
  const copies = new Set([item]);
  const terms = actions.map((action) => (action.kind === 'set' ? evaluate(action.term, before, scope) : null));
  for (const [i, action] of actions.entries()) {
    const holder = holderOf(action.path, { item, copies, scope });
    const key = resolveStep(action.path[action.path.length - 1] as Path[0], scope);
    const existing = attribute(holder, key);
    switch (action.kind) {
      case 'set':
        setOwn(holder, key, give(terms[i] ?? null));
        break;
      case 'remove':
        Reflect.deleteProperty(holder, key);
        break;
      case 'add':
        setOwn(holder, key, plus(existing, scope.values[action.ref] as Value));
        break;
      case 'delete':
        if (existing !== undefined) {
          const rest = minus(existing, scope.values[action.ref] as Set<string>);
          if (rest.size > 0) setOwn<Value>(holder, key, rest);
          else Reflect.deleteProperty(holder, key);
        }
    }
  }
  return item;
}

interface Edited {
  readonly item: Attributes;
  /** The item, and the maps of it that are copied already. */
  readonly copies: Set<Attributes>;
  readonly scope: Scope;
}

/** The map in which a path ends. Copies only the maps that change; a spread defines `__proto__` as any other name. */
function holderOf(path: Path, { item, copies, scope }: Edited): Attributes {
  let holder = item;
  for (let i = 0; i < path.length - 1; i += 1) {
    const key = resolveStep(path[i] as Path[0], scope);
    const child = attribute(holder, key);
    if (!isMap(child))
      throw validationException('The document path provided in the update expression is invalid for update');
    const own = copies.has(child) ? child : { ...child };
    copies.add(own);
    setOwn<Value>(holder, key, own);
    holder = own;
  }
  return holder;
}

function evaluate(term: Term, item: Attributes, scope: Scope): Value {
  if (term.kind === 'value') return scope.values[term.ref] as Value;
  const found = lookUp(term.path, item, scope);
  if (found !== undefined) return found;
  if (term.kind === 'if_not_exists') return evaluate(term.otherwise, item, scope);
  throw validationException('The provided expression refers to an attribute that does not exist in the item');
}

/** Our items count in integers, so no sum needs the decimals of DynamoDB. */
function plus(current: Value | undefined, amount: Value): Value {
  if (current === undefined) return give(amount);
  if (typeof current === 'number' && typeof amount === 'number') return current + amount;
  if (!(current instanceof Set) || !(amount instanceof Set)) throw wrongType();
  return new Set([...current, ...amount]);
}

function minus(current: Value, members: ReadonlySet<string>): Set<string> {
  if (!(current instanceof Set)) throw wrongType();
  return new Set([...current].filter((member) => !members.has(member)));
}

function wrongType(): Error {
  return validationException('An operand in the update expression has an incorrect data type');
}
