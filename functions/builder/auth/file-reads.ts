import type { AnyNode, AssignmentProperty, Expression, ObjectExpression, Pattern, Program, RestElement } from 'acorn';
import { isFieldName, isShortName } from '../../../shared/domain/component/auth-fields.ts';
import { knownOf, mark, memberKnown } from './known-values.ts';
import { type Known, NOTHING, type Scope, scopesOf } from './variable-scopes.ts';
import { isFunctionNode, literalText, staticName, visit } from '../syntax-tree.ts';

/** A name that the code of a file reads as `$auth.<name>`. */
interface Read {
  name: string;
  /** The name before `.$auth`, as in `this.github.$auth`. */
  prop: string | undefined;
  /** The app whose object, within a component, has the code. */
  within: App | undefined;
}

/** An object with `type: 'app'`; its slug may be unknown. */
export interface App {
  slug: string | undefined;
}

export interface FileReads {
  reads: Read[];
  /** The apps that the file defines at its top level, by slug. */
  apps: ReadonlySet<App['slug']>;
}

interface Context {
  scope: Scope | undefined;
  within: App | undefined;
  /** Whether no object, function or class surrounds the node. */
  isTop: boolean;
}

/** A longer text is no path of a field. */
const LONGEST_PATH = 200;

/**
 * Finds the reads of `$auth` in one file. The entry is the component's file: an app that it defines is only that
 * object. In every other file an app at the top level makes the file an app's.
 */
export function fileReads(program: Program, { isEntry }: { isEntry: boolean }): FileReads {
  const finder = new ReadFinder(program, isEntry);
  // A function may read a variable that gets its value further below: the first pass marks the variables.
  finder.pass();
  return finder.pass();
}

class ReadFinder {
  readonly #program: Program;
  readonly #isEntry: boolean;
  readonly #scopes: ReturnType<typeof scopesOf>;
  readonly #apps = new Set<App['slug']>();
  /** Members that are written, not read. */
  readonly #targets = new Set<AnyNode>();
  #reads = new Map<string, Read>();

  constructor(program: Program, isEntry: boolean) {
    this.#program = program;
    this.#isEntry = isEntry;
    this.#scopes = scopesOf(program);
  }

  pass(): FileReads {
    this.#reads = new Map();
    visit<Context>(this.#program, { scope: undefined, within: undefined, isTop: true }, this.#enter);
    return { reads: [...this.#reads.values()], apps: this.#apps };
  }

  readonly #enter = (node: AnyNode, context: Context): Context => {
    const scope = this.#scopes.get(node);
    const inner = scope ? { ...context, scope } : context;
    this.#look(node, inner);
    if (isFunctionNode(node) || node.type === 'ClassBody') return { ...inner, isTop: false };
    if (node.type !== 'ObjectExpression') return inner;
    const app = appIn(node);
    const definesApp = app !== undefined && context.isTop && !this.#isEntry;
    if (definesApp) this.#apps.add(app.slug);
    return { ...inner, isTop: false, ...(app && !definesApp ? { within: app } : {}) };
  };

  #look(node: AnyNode, context: Context): void {
    switch (node.type) {
      case 'MemberExpression': {
        const name = staticName(node.property, node.computed);
        const known = this.#targets.has(node) ? NOTHING : knownOf(node.object, context.scope);
        if (known.isAuth && name !== undefined) this.#addRead(name, known, context);
        return;
      }
      case 'VariableDeclarator':
        return this.#bind(node.id, node.init ? knownOf(node.init, context.scope) : NOTHING, context);
      case 'AssignmentExpression':
        if (/^(?:=|\?\?=|\|\|=|&&=)$/.test(node.operator)) {
          if (node.left.type !== 'MemberExpression') this.#bind(node.left, knownOf(node.right, context.scope), context);
          else if (node.operator === '=') this.#targets.add(node.left);
        }
        return;
      case 'CallExpression': {
        const [object] = node.arguments;
        const owner = object && object.type !== 'SpreadElement' ? knownOf(object, context.scope) : NOTHING;
        for (const argument of node.arguments) this.#addPath(literalText(argument) ?? '', owner, context);
        return;
      }
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#targets.add(withoutChain(node.argument));
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        for (const parameter of node.params) this.#bind(parameter, NOTHING, context);
        return;
      case 'ForOfStatement':
      case 'ForInStatement':
        if (node.left.type !== 'VariableDeclaration') this.#bind(node.left, NOTHING, context);
        return;
      default:
    }
  }

  /** Gives the variables of a pattern the value that it takes apart, and reads its keys when that is an `$auth`. */
  #bind(pattern: Pattern, value: Known, context: Context): void {
    const open: [Pattern, Known][] = [[pattern, value]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [part, known] = next;
      if (part.type === 'Identifier') mark(part.name, known, context.scope);
      else if (part.type === 'MemberExpression') this.#targets.add(part);
      else if (part.type === 'RestElement') open.push([part.argument, known]);
      else if (part.type === 'AssignmentPattern') {
        const preset = knownOf(part.right, context.scope);
        open.push([part.left, known.isAuth || !preset.isAuth ? known : preset]);
      } else if (part.type === 'ArrayPattern') {
        for (const element of part.elements) if (element) open.push([element, NOTHING]);
      } else for (const property of part.properties) open.push(this.#takenApart(property, known, context));
    }
  }

  #takenApart(property: AssignmentProperty | RestElement, known: Known, context: Context): [Pattern, Known] {
    if (property.type === 'RestElement') return [property.argument, known];
    const name = staticName(property.key, property.computed);
    if (known.isAuth && name !== undefined) this.#addRead(name, known, context);
    return [property.value, memberKnown(known, name)];
  }

  /** `get(this, '$auth.token')` and `get(this, 'github.$auth.token')`, as with lodash. */
  #addPath(path: string, owner: Known, context: Context): void {
    if (path.length > LONGEST_PATH || !path.includes('$auth.')) return;
    const names = path.split('.');
    const at = names.indexOf('$auth');
    const name = names[at + 1];
    if (at >= 0 && name !== undefined)
      this.#addRead(name, { isAuth: true, name: names[at - 1] ?? owner.name }, context);
  }

  #addRead(name: string, { name: of }: Known, { within }: Context): void {
    if (!isFieldName(name)) return;
    const prop = of !== undefined && isShortName(of) ? of : undefined;
    this.#reads.set(JSON.stringify([name, prop, within ? [within.slug] : []]), { name, prop, within });
  }
}

const withoutChain = (expression: Expression): Expression =>
  expression.type === 'ChainExpression' ? expression.expression : expression;

/** The app that an object declares by `type: 'app'`. */
function appIn({ properties }: ObjectExpression): App | undefined {
  const texts = new Map(
    properties.flatMap((property): [string | undefined, string | undefined][] =>
      property.type === 'Property' ? [[staticName(property.key, property.computed), literalText(property.value)]] : [],
    ),
  );
  const slug = texts.get('app');
  if (texts.get('type') !== 'app') return undefined;
  return { slug: slug !== undefined && isShortName(slug) ? slug : undefined };
}
