import { declarationsIn, type PropDeclaration } from './declarations.ts';
import { type AnyFunction, type Dict, isDict, isFunction } from './guards.ts';
import { RuntimeError } from './thrown.ts';

export type HookName = 'deploy' | 'activate' | 'deactivate';

/** A component whose module has been evaluated. */
export interface LoadedComponent {
  name: string;
  /** The exported object, for descriptive members. */
  exported: Dict;
  declarations: PropDeclaration[];
  methods: [string, AnyFunction][];
  run: AnyFunction | undefined;
  hooks: Partial<Record<HookName, AnyFunction>>;
}

const WRITE = 'write `export default { name, … }` or `module.exports = { name, … }`';

/** The reason why a module has no component; follows "The component does not load: ". */
const failure = (message: string) => new RuntimeError('load_failed', message);

/** Finds the component among a module's exports. Throws `load_failed` with the reason. */
export function componentIn(namespace: unknown): LoadedComponent {
  const exported = exportedBy(namespace);
  const { type, name } = exported;
  if (type !== undefined && type !== 'source') {
    throw failure(`it is of type ${JSON.stringify(type)}; only sources can be deployed`);
  }
  if (typeof name !== 'string' || name.trim() === '') throw failure('it has no `name`; every component needs one');
  return {
    name,
    exported,
    declarations: declarationsIn(exported['props']),
    methods: functionsIn(exported['methods']),
    run: isFunction(exported['run']) ? exported['run'] : undefined,
    hooks: hooksOf(exported),
  };
}

/** Functions by name; skips other values, which components may spread into `methods`. */
export const functionsIn = (methods: unknown): [string, AnyFunction][] =>
  isDict(methods)
    ? Object.entries(methods).filter((entry): entry is [string, AnyFunction] => isFunction(entry[1]))
    : [];

function exportedBy(namespace: unknown): Dict {
  const exported = isDict(namespace) ? namespace['default'] : undefined;
  // TypeScript compiled to CommonJS puts the default export one level deeper.
  if (isDict(exported) && exported['name'] === undefined && isDict(exported['default'])) return exported['default'];
  if (!isDict(exported)) throw failure(`it has no default export: ${WRITE}`);
  // The exports of a CommonJS module that sets none.
  if (Object.keys(exported).length === 0) throw failure(`it exports nothing that could be one: ${WRITE}`);
  return exported;
}

/** Hooks are in `hooks`; old components have `activate` and `deactivate` next to `run`. */
function hooksOf(exported: Dict): LoadedComponent['hooks'] {
  const nested = isDict(exported['hooks']) ? exported['hooks'] : {};
  const hooks: LoadedComponent['hooks'] = {};
  for (const name of ['deploy', 'activate', 'deactivate'] as const) {
    const hook = isFunction(nested[name]) ? nested[name] : exported[name];
    if (isFunction(hook)) hooks[name] = hook;
  }
  return hooks;
}
