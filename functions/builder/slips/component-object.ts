import type {
  AnyNode,
  ArrowFunctionExpression,
  Expression,
  FunctionDeclaration,
  FunctionExpression,
  ObjectExpression,
  Program,
} from 'acorn';
import { staticName } from '../syntax-tree.ts';

export type ComponentFunction = FunctionExpression | FunctionDeclaration | ArrowFunctionExpression;

/** Values of the variables and functions at the top level of a file. */
type TopLevel = ReadonlyMap<string, Expression | FunctionDeclaration>;

/** A function whose result is its argument. */
const DEFINES = /^define(?:Source|Component)$/;
/** Variables that are followed from one to another. */
const MAX_STEPS = 4;

/**
 * The functions of the component that a file exports, by name: `run`, `hooks.deploy`, `methods.poll`. In them `this` is
 * the component.
 */
export function componentFunctions(program: Program): Map<string, ComponentFunction> {
  const found = new Map<string, ComponentFunction>();
  const topLevel = topLevelOf(program);
  const component = objectIn(exportedBy(program), topLevel);
  for (const [name, value] of component ? membersOf(component) : []) {
    if (name === 'run' || name === 'additionalProps') add(name, value);
    if (name !== 'hooks' && name !== 'methods') continue;
    const group = objectIn(value, topLevel);
    for (const [inner, method] of group ? membersOf(group) : []) add(`${name}.${inner}`, method);
  }
  return found;

  function add(name: string, value: AnyNode): void {
    const method = resolved(value, topLevel);
    if (method && isFunctionValue(method)) found.set(name, method);
  }
}

const isFunctionValue = (node: AnyNode): node is ComponentFunction =>
  node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression';

function topLevelOf({ body }: Program): TopLevel {
  const values = new Map<string, Expression | FunctionDeclaration>();
  for (const statement of body) {
    if (statement.type === 'FunctionDeclaration') values.set(statement.id.name, statement);
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) if (id.type === 'Identifier' && init) values.set(id.name, init);
  }
  return values;
}

/** The value of `export default …`, `export { … as default }` or `module.exports = …`. */
function exportedBy({ body }: Program): AnyNode | undefined {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration;
    if (statement.type === 'ExportNamedDeclaration' && !statement.source) {
      const found = statement.specifiers.find(({ exported }) => staticName(exported, false) === 'default');
      if (found) return found.local;
    }
    if (statement.type !== 'ExpressionStatement') continue;
    const { expression } = statement;
    if (expression.type === 'AssignmentExpression' && isModuleExports(expression.left)) return expression.right;
  }
  return undefined;
}

const isModuleExports = (node: AnyNode): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  staticName(node.property, node.computed) === 'exports';

function objectIn(node: AnyNode | undefined, topLevel: TopLevel): ObjectExpression | undefined {
  const value = resolved(node, topLevel);
  if (value?.type === 'ObjectExpression') return value;
  if (value?.type !== 'CallExpression' || value.callee.type !== 'Identifier') return undefined;
  if (!DEFINES.test(value.callee.name)) return undefined;
  const argument = resolved(value.arguments[0], topLevel);
  return argument?.type === 'ObjectExpression' ? argument : undefined;
}

function resolved(node: AnyNode | undefined, topLevel: TopLevel): AnyNode | undefined {
  let value = node;
  for (let step = 0; value?.type === 'Identifier' && step < MAX_STEPS; step += 1) value = topLevel.get(value.name);
  return value;
}

const membersOf = ({ properties }: ObjectExpression): [string, AnyNode][] =>
  properties.flatMap((property): [string, AnyNode][] => {
    if (property.type !== 'Property' || property.kind !== 'init') return [];
    const name = staticName(property.key, property.computed);
    return name === undefined ? [] : [[name, property.value]];
  });
