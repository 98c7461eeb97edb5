import type { DatabaseHandle } from './db.ts';
import type { PropDeclaration } from './declarations.ts';
import { type Dict, isDict, isFunction } from './guards.ts';
import { httpRequest } from './http-request.ts';
import { functionsIn, type LoadedComponent } from './load.ts';

/** What the props of one job are made of. */
export interface ComponentContextOptions {
  /** As stored; interface props as `{endpoint}`, app props as `{$auth}`. */
  props: Dict;
  db: DatabaseHandle;
  emit: (event: unknown, meta?: unknown) => void;
  respond: (response: unknown) => void;
}

/**
 * The one `this` that the run, the hooks and the methods of a job share. It is made anew for every job: what a component
 * puts on it does not outlive the run.
 */
export function createComponentContext(
  component: LoadedComponent,
  surroundings: ComponentContextOptions,
): Dict {
  const self: Dict = {};
  const declared = new Set<string>();
  for (const declaration of component.declarations) {
    declared.add(declaration.name);
    const value = valueOf(declaration, self, surroundings);
    if (value !== undefined) self[declaration.name] = value;
  }
  for (const [name, value] of Object.entries(surroundings.props)) {
    // Props that `additionalProps` made when the source was configured are not in the code.
    if (!declared.has(name)) self[name] = undeclared(value, surroundings);
  }
  for (const [name, method] of component.methods) self[name] = method.bind(self);
  self['$emit'] = surroundings.emit;
  // Hooks call it to poll once when the source is deployed; it is no member that `console.log(this)` shows.
  if (component.run && !('run' in self)) {
    const run = component.run.bind(self);
    Object.defineProperty(self, 'run', { value: run, writable: true, configurable: true, enumerable: false });
  }
  return self;
}

function valueOf(
  { name, type, fields, app }: PropDeclaration,
  self: Dict,
  around: ComponentContextOptions,
): unknown {
  if (type === '$.service.db') return around.db;
  const stored = Object.hasOwn(around.props, name) ? around.props[name] : undefined;
  if (app) return appObject(app, stored);
  if (type === '$.interface.http') return httpInterface(stored, around);
  const value = stored ?? defaultOf(fields['default'], self);
  if (type === 'http_request') return value === undefined ? undefined : httpRequest(value);
  return unlabelled(value, fields['withLabel'] === true);
}

/** An app's methods see their own `this`: the account, and each other. */
export function appObject(app: Dict, stored: unknown): Dict {
  const self: Dict = {};
  // Not enumerable, so that neither `console.log(this)` nor `JSON.stringify(this)` shows an account.
  const $auth = isDict(stored) && isDict(stored['$auth']) ? { ...stored['$auth'] } : {};
  Object.defineProperty(self, '$auth', { value: $auth, enumerable: false, writable: true });
  // What a propDefinition may name in the place of the app's module.
  for (const name of ['app', 'propDefinitions'])
    Object.defineProperty(self, name, { value: app[name], enumerable: false, writable: true });
  for (const [name, method] of functionsIn(app['methods'])) self[name] = method.bind(self);
  return self;
}

const httpInterface = (stored: unknown, { respond }: ComponentContextOptions): Dict => ({
  ...(isDict(stored) ? stored : {}),
  respond,
});

function undeclared(value: unknown, around: ComponentContextOptions): unknown {
  if (isDict(value) && typeof value['endpoint'] === 'string') return httpInterface(value, around);
  if (isDict(value) && isDict(value['$auth'])) return appObject({}, value);
  return unlabelled(value, false);
}

/** Most defaults are stored with the source; a function is asked when there is nothing else. */
function defaultOf(declared: unknown, self: Dict): unknown {
  if (!isFunction(declared)) return isDict(declared) || Array.isArray(declared) ? copy(declared) : declared;
  const value = declared.call(self);
  return value instanceof Promise ? undefined : value;
}

/** A default belongs to the module and outlives the job; a component that changes its prop must not change it. */
function copy(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

/** Values chosen from a list may be stored with the label they were shown under: `{__lv: {label, value}}`. */
function unlabelled(value: unknown, withLabel: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => unlabelled(item, withLabel));
  if (!isDict(value) || !('__lv' in value)) return value;
  const labelled = value['__lv'];
  if (withLabel) return labelled;
  if (Array.isArray(labelled)) return labelled.map(valueIn);
  return valueIn(labelled);
}

const valueIn = (labelled: unknown): unknown =>
  isDict(labelled) && 'value' in labelled ? labelled['value'] : labelled;
