import { isSlipName, MAX_SLIPS, type Slips } from '../../../shared/domain/component/code-slips.ts';
import type { Script } from '../syntax-tree.ts';
import { componentFunctions } from './component-object.ts';
import { namesSetIn, readsIn } from './this-reads.ts';

/*
 * Two slips end a run with "Cannot read properties of undefined", or in silence:
 *
 *     run: async (event) => { this.$emit(event) }        in an arrow function `this` is not the component
 *     props: { url: 'string' }, run() { this.ulr }        a name that is neither a prop nor a method
 *
 * The builder reads the functions of the component object in the entry file: `run`, hooks, methods and
 * `additionalProps`. A name counts only if the code neither sets it, on whatever object, nor asks whether it is there.
 * The runner then takes out the props and methods that the component has, also those that it spreads from other files.
 * Files that the parser cannot read are taken for ones that set anything.
 */

/** Characters of the scripts that are parsed. A component with more gets no warning. */
const MAX_CHARACTERS = 1024 * 1024;

export function slipsOf(scripts: readonly Script[], entry: Script['id']): Slips {
  const nothing: Slips = { arrows: [], reads: [] };
  if (scripts.reduce((sum, { text }) => sum + text.length, 0) > MAX_CHARACTERS) return nothing;
  const programs = scripts.map(({ id, tree }) => ({ isEntry: id === entry, program: tree() }));
  const program = programs.find(({ isEntry }) => isEntry)?.program;
  if (!program) return nothing;
  const functions = componentFunctions(program);
  const found = [...functions].map(([name, root]) => ({ name, root, ...readsIn(root) }));
  const arrows = found
    .filter(({ name, root, usesThis }) => root.type === 'ArrowFunctionExpression' && (name === 'run' || usesThis))
    .map(({ name }) => name)
    .filter(isSlipName);
  const isReadable = programs.every((file) => file.program !== undefined);
  const set = isReadable ? namesSetIn(programs.flatMap((file) => file.program ?? [])) : undefined;
  const optional = new Set(found.flatMap((each) => [...each.optional]));
  const reads =
    set === undefined ? [] : found.filter(({ name }) => !arrows.includes(name)).flatMap(({ names }) => [...names]);
  const surely = [...new Set(reads)].filter(
    (name) => isSlipName(name) && !name.startsWith('$') && !set?.has(name) && !optional.has(name),
  );
  return { arrows: arrows.slice(0, MAX_SLIPS), reads: surely.slice(0, 10 * MAX_SLIPS) };
}
