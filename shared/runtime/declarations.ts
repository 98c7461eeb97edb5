import { type AnyFunction, type Dict, isDict, isFunction } from './guards.ts';

/** A prop as the component declares it, shorthand and propDefinition resolved. */
export interface PropDeclaration {
  name: string;
  type: string;
  /** Everything declared: what the app's propDefinition says, then what the component overrides. */
  fields: Dict;
  /** The app's own object, for a prop of type `app`. */
  app?: Dict;
  /** The app whose propDefinition has the options, and what supplies their arguments. */
  inherited?: { app: Dict; args?: AnyFunction };
}

/** In the order of the code. */
export function declarationsIn(props: unknown): PropDeclaration[] {
  if (!isDict(props)) return [];
  return Object.entries(props).map(([name, declared]) => declaration(name, declared));
}

function declaration(name: string, declared: unknown): PropDeclaration {
  if (typeof declared === 'string') return { name, type: declared, fields: {} };
  const fields = resolved(declared, MOST_INHERITED);
  const type = typeof fields['type'] === 'string' ? fields['type'] : 'any';
  if (type === 'app') return { name, type, fields, app: fields };
  const inherited = optionsOwner(declared, MOST_INHERITED);
  return inherited ? { name, type, fields, inherited } : { name, type, fields };
}

/** A propDefinition may itself inherit; nobody nests deeper, and a cycle ends here. */
const MOST_INHERITED = 8;

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

/** Where options come from that the prop does not declare itself. */
function optionsOwner(declared: unknown, depth: number): PropDeclaration['inherited'] {
  const own = unwrapped(declared);
  const reference = own['propDefinition'];
  if (!Array.isArray(reference) || 'options' in own || depth === 0) return undefined;
  const [given, name, args]: unknown[] = reference;
  const app = unwrapped(given);
  const definitions = app['propDefinitions'];
  if (!isDict(definitions) || typeof name !== 'string' || !Object.hasOwn(definitions, name)) return undefined;
  return optionsOwner(definitions[name], depth - 1) ?? (isFunction(args) ? { app, args } : { app });
}

/** A CommonJS file that requires an ES module gets the namespace instead of its default export. */
function unwrapped(value: unknown): Dict {
  if (!isDict(value)) return {};
  const inner = value['default'];
  const isNamespace =
    isDict(inner) && value['type'] === undefined && ('propDefinitions' in inner || 'type' in inner);
  return isNamespace ? inner : value;
}
