import { type AnyFunction, type Dict, isDict, isFunction } from './guards.ts';

/** A declared prop, with shorthand and propDefinition resolved. */
export interface PropDeclaration {
  name: string;
  type: string;
  /** Fields of the app's propDefinition, overridden by those of the component. */
  fields: Dict;
  /** The app's own object, for a prop of type `app`. */
  app?: Dict;
  /** The app whose propDefinition has the options, and the function that makes their arguments. */
  inherited?: { app: Dict; args?: AnyFunction };
}

/** Declarations in the order of the code. */
export function declarationsIn(props: unknown): PropDeclaration[] {
  if (!isDict(props)) return [];
  return Object.entries(props).map(([name, declared]) => declaration(name, declared));
}

function declaration(name: string, declared: unknown): PropDeclaration {
  if (typeof declared === 'string') return { name, type: declared, fields: {} };
  const fields = resolved(declared, MAX_INHERITANCE);
  const type = typeof fields['type'] === 'string' ? fields['type'] : 'any';
  if (type === 'app') return { name, type, fields, app: fields };
  const inherited = optionsOwner(declared, MAX_INHERITANCE);
  return inherited ? { name, type, fields, inherited } : { name, type, fields };
}

/** Limit for propDefinitions that refer to each other; also ends cycles. */
const MAX_INHERITANCE = 8;

function resolved(declared: unknown, depth: number): Dict {
  if (typeof declared === 'string') return { type: declared };
  const own = unwrapped(declared);
  const reference = own['propDefinition'];
  if (!Array.isArray(reference) || depth === 0) return own;
  const [app, name]: unknown[] = reference;
  const definitions = unwrapped(app)['propDefinitions'];
  const inherited =
    isDict(definitions) && typeof name === 'string' && Object.hasOwn(definitions, name)
      ? resolved(definitions[name], depth - 1)
      : {};
  return { ...inherited, ...own };
}

/** The app that has the options of a prop, when the prop does not declare them itself. */
function optionsOwner(declared: unknown, depth: number): PropDeclaration['inherited'] {
  const own = unwrapped(declared);
  const reference = own['propDefinition'];
  if (!Array.isArray(reference) || 'options' in own || depth === 0) return undefined;
  const [appExport, name, args]: unknown[] = reference;
  const app = unwrapped(appExport);
  const definitions = app['propDefinitions'];
  if (!isDict(definitions) || typeof name !== 'string' || !Object.hasOwn(definitions, name)) return undefined;
  return optionsOwner(definitions[name], depth - 1) ?? (isFunction(args) ? { app, args } : { app });
}

/** A CommonJS file that requires an ES module gets the namespace instead of its default export. */
function unwrapped(value: unknown): Dict {
  if (!isDict(value)) return {};
  const inner = value['default'];
  const isNamespace = isDict(inner) && value['type'] === undefined && ('propDefinitions' in inner || 'type' in inner);
  return isNamespace ? inner : value;
}
