import type { AnyNode, Pattern, Program } from 'acorn';
import { isFunctionNode, visit } from '../syntax-tree.ts';

/** Scopes that a look-up climbs at most: a file could nest thousands, and look names up in the innermost. */
const MAX_CLIMB = 100;

/** The statements of the code about a value. */
export interface Known {
  /** Whether the value is the `$auth` of an app prop. */
  isAuth: boolean;
  /** The name of the member that has the value, or whose `$auth` it is. */
  name: string | undefined;
}

export const NOTHING: Known = { isAuth: false, name: undefined };

/** A declared variable. */
export interface Binding {
  known: Known | undefined;
}

/** The variables that a function or block declares. */
export class Scope {
  readonly #parent: Scope | undefined;
  readonly #bindings = new Map<string, Binding>();
  /** The scope of `var` declarations. */
  readonly ofFunction: Scope;

  constructor(parent?: Scope, isFunction = true) {
    this.#parent = parent;
    this.ofFunction = isFunction ? this : (parent?.ofFunction ?? this);
  }

  declare(names: Iterable<string>): void {
    for (const name of names) if (!this.#bindings.has(name)) this.#bindings.set(name, { known: undefined });
  }

  find(name: string): Binding | undefined {
    let found = this.#bindings.get(name);
    let scope = this.#parent;
    for (let climbed = 0; !found && scope && climbed < MAX_CLIMB; climbed += 1) {
      found = scope.#bindings.get(name);
      scope = scope.#parent;
    }
    return found;
  }
}

/** The scope that each function and block of a program opens, with its variables. */
export function scopesOf(program: Program): ReadonlyMap<AnyNode, Scope> {
  const scopes = new Map<AnyNode, Scope>();
  visit(program, new Scope(), (node, outer) => {
    const scope = opensScope(node) ? new Scope(outer, isFunctionNode(node) || node.type === 'Program') : outer;
    if (scope !== outer) scopes.set(node, scope);
    declare(node, { outer, scope });
    return scope;
  });
  return scopes;
}

const opensScope = (node: AnyNode): boolean =>
  isFunctionNode(node) ||
  node.type === 'Program' ||
  node.type === 'BlockStatement' ||
  node.type === 'StaticBlock' ||
  node.type === 'SwitchStatement' ||
  node.type === 'ForStatement' ||
  node.type === 'ForInStatement' ||
  node.type === 'ForOfStatement' ||
  node.type === 'CatchClause';

function declare(node: AnyNode, { outer, scope }: { outer: Scope; scope: Scope }): void {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      if (node.id) outer.declare([node.id.name]);
      if (node.type === 'FunctionDeclaration') scope.declare(namesIn(node.params));
      return;
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return scope.declare(namesIn(node.params));
    case 'VariableDeclaration':
      return (node.kind === 'var' ? scope.ofFunction : scope).declare(namesIn(node.declarations.map(({ id }) => id)));
    case 'CatchClause':
      return scope.declare(namesIn(node.param ? [node.param] : []));
    case 'ImportDeclaration':
      return scope.declare(node.specifiers.map(({ local }) => local.name));
    default:
  }
}

/** The names that patterns bind. */
function namesIn(patterns: readonly Pattern[]): string[] {
  const names: string[] = [];
  const open = [...patterns];
  for (let pattern = open.pop(); pattern; pattern = open.pop()) {
    if (pattern.type === 'Identifier') names.push(pattern.name);
    // One by one: the arguments of one call have their place on the stack.
    else for (const part of partsOf(pattern)) open.push(part);
  }
  return names;
}

function partsOf(pattern: Exclude<Pattern, { type: 'Identifier' }>): Pattern[] {
  switch (pattern.type) {
    case 'ObjectPattern':
      return pattern.properties.map((part) => (part.type === 'Property' ? part.value : part.argument));
    case 'ArrayPattern':
      return pattern.elements.filter((element) => element !== null);
    case 'RestElement':
      return [pattern.argument];
    case 'AssignmentPattern':
      return [pattern.left];
    case 'MemberExpression':
      return [];
  }
}
