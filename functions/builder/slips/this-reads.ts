import type { AnyNode, Program } from 'acorn';
import { isFunctionNode, literalText, staticName, TOP_THIS, visit } from '../syntax-tree.ts';
import type { ComponentFunction } from './component-object.ts';

interface Reads {
  /** Whether the function uses `this` at all. */
  usesThis: boolean;
  names: Set<string>;
  /** Names that the code handles as if they may be missing. */
  optional: Set<string>;
}

interface Context {
  isThis: boolean;
}

/** The names that a function of the component reads as `this.<name>`, also in arrow functions within. */
export function readsIn(root: ComponentFunction): Reads {
  const found: Reads = { usesThis: false, names: new Set(), optional: new Set() };
  const guarded = new Set<AnyNode>();
  visit<Context>(root, { isThis: true }, (node, { isThis }) => {
    if (node !== root && rebindsThis(node)) return { isThis: false };
    if (!isThis) return { isThis };
    if (node.type === 'ThisExpression' || isTopThis(node)) found.usesThis = true;
    for (const part of guardedBy(node)) guarded.add(withoutChain(part));
    if (node.type === 'MemberExpression' && node.object.type === 'ThisExpression') {
      const name = staticName(node.property, node.computed);
      if (name !== undefined) (guarded.has(node) ? found.optional : found.names).add(name);
    }
    if (node.type === 'VariableDeclarator' && node.init?.type === 'ThisExpression') readPattern(node.id);
    if (node.type === 'AssignmentExpression' && node.right.type === 'ThisExpression') readPattern(node.left);
    return { isThis };
  });
  return found;

  /** `const { a, b = 1 } = this` reads `a`, and `b` if it is there. */
  function readPattern(pattern: AnyNode): void {
    if (pattern.type !== 'ObjectPattern') return;
    for (const property of pattern.properties) {
      if (property.type !== 'Property') continue;
      const name = staticName(property.key, property.computed);
      const hasDefault = property.value.type === 'AssignmentPattern';
      if (name !== undefined) (hasDefault ? found.optional : found.names).add(name);
    }
  }
}

/** In an arrow function of the component's object, `this` is that of the file. */
const isTopThis = (node: AnyNode): boolean => node.type === 'Identifier' && node.name === TOP_THIS;

const rebindsThis = (node: AnyNode): boolean =>
  (isFunctionNode(node) && node.type !== 'ArrowFunctionExpression') ||
  node.type === 'ClassBody' ||
  node.type === 'StaticBlock';

const withoutChain = (node: AnyNode): AnyNode => (node.type === 'ChainExpression' ? node.expression : node);

/** The parts of a node whose value may be missing, as the code knows: it asks for them, deletes or sets them. */
function guardedBy(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case 'LogicalExpression':
      return [node.left];
    case 'BinaryExpression':
      return [node.left, node.right];
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return [node.test];
    case 'UnaryExpression':
      return [node.argument];
    case 'UpdateExpression':
      return [node.argument];
    case 'AssignmentExpression':
      return [node.left];
    case 'MemberExpression':
      return node.optional ? [node.object] : [];
    case 'CallExpression':
      return node.optional ? [node.callee] : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return [node.left];
    default:
      return [];
  }
}

/** Functions that give an object members which the code does not name. */
const SETTERS: ReadonlySet<string> = new Set(['assign', 'defineProperty', 'defineProperties', 'set', 'setPrototypeOf']);

/**
 * The names of members that the files set on any object; undefined if they may set members of other names on `this`.
 */
export function namesSetIn(programs: Iterable<Program>): Set<string> | undefined {
  const names = new Set<string>();
  let isOpen = false;
  for (const program of programs) {
    visit<Context>(program, { isThis: true }, (node, context) => {
      if (setsOthers(node)) isOpen = true;
      for (const target of targetsIn(node)) {
        if (target.type !== 'MemberExpression') continue;
        const name = staticName(target.property, target.computed);
        if (name !== undefined) names.add(name);
        else if (target.object.type === 'ThisExpression') isOpen = true;
      }
      return context;
    });
  }
  return isOpen ? undefined : names;
}

function targetsIn(node: AnyNode): AnyNode[] {
  if (node.type === 'AssignmentExpression') return [node.left];
  // Also the members of a pattern: `[this.a, this.b] = …`.
  if (node.type === 'ArrayPattern') return node.elements.filter((element) => element !== null);
  if (node.type === 'ObjectPattern')
    return node.properties.map((part) => (part.type === 'Property' ? part.value : part.argument));
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') return [node.left];
  return [];
}

/** `Object.assign(this, …)`, `Reflect.set(self, …)`, `_.set(this, 'name', …)`. A new object is not the component. */
function setsOthers(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const name = staticName(node.callee.property, node.callee.computed);
  const [target, key] = node.arguments;
  if (name === undefined || !SETTERS.has(name) || !target) return false;
  // A method `set` of a map or of `db` has the key first.
  if (name === 'set' && (!key || literalText(target) !== undefined)) return false;
  return target.type === 'ThisExpression' || target.type === 'Identifier';
}
