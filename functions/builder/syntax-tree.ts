import { type AnyNode, parse, type Program } from 'acorn';
import { type Loader, transform } from 'esbuild';

/** Name that the compiler writes for a `this` outside of functions, instead of `undefined`. */
export const TOP_THIS = '__topLevelThis';

interface File {
  id: string;
  text: string;
  loader: Loader;
}

/** A file of a component as the compiler's JavaScript. */
export interface Script {
  readonly id: string;
  readonly text: string;
  /** Parsed once. Undefined when the parser cannot read it. */
  readonly tree: () => Program | undefined;
}

/**
 * The scripts of files, without those of data. Sorted, because the order of the files is that in which they arrived.
 */
export async function scriptsOf(files: readonly File[]): Promise<Script[]> {
  const texts = await Promise.all(files.map(scriptOf));
  return files
    .flatMap(({ id }, at): Script[] => {
      const text = texts[at];
      if (text === undefined) return [];
      let parsed: { tree: Program | undefined } | undefined;
      return [{ id, text, tree: () => (parsed ??= { tree: syntaxTreeOf(text) }).tree }];
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Without types, and with escapes of names and texts resolved. Undefined for data. */
async function scriptOf(file: File): Promise<string | undefined> {
  if (file.loader === 'json') return undefined;
  const options = {
    loader: file.loader,
    target: 'node20',
    tsconfigRaw: '{}',
    minifyWhitespace: true,
    define: { this: TOP_THIS },
    logLevel: 'silent',
  } as const;
  return transform(file.text, options).then(
    ({ code }) => code,
    () => undefined,
  );
}

/** Undefined for a script that the parser cannot read: one that nests too deeply for its stack. */
function syntaxTreeOf(script: string): Program | undefined {
  // CommonJS may need sloppy mode.
  for (const sourceType of ['module', 'commonjs'] as const) {
    try {
      return parse(script, { ecmaVersion: 'latest', sourceType });
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Calls `enter` for each node, in the order of the text. The node's children get the context that `enter` returns. */
export function visit<Context extends object>(
  root: AnyNode,
  rootContext: Context,
  enter: (node: AnyNode, context: Context) => Context,
): void {
  // No recursion: code may nest deeper than the stack of this process is. The next node is the last one.
  const nodes: AnyNode[] = [root];
  const contexts: Context[] = [rootContext];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    const context = enter(node, contexts.pop() ?? rootContext);
    const members: unknown[] = Object.values(node);
    for (const member of members.reverse()) {
      if (isNode(member)) nodes.push(member);
      else if (Array.isArray(member)) pushLastFirst(member, nodes);
    }
    while (contexts.length < nodes.length) contexts.push(context);
  }
}

function pushLastFirst(items: readonly unknown[], nodes: AnyNode[]): void {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (isNode(item)) nodes.push(item);
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const isFunctionNode = (node: AnyNode) =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** The value of a text without substitutions. */
export function literalText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The name in `a.name`, `a['name']`, `{ name: … }` and `{ ['name']: … }`; undefined for a computed one. */
export function staticName(key: AnyNode, computed: boolean): string | undefined {
  return !computed && key.type === 'Identifier' ? key.name : literalText(key);
}
