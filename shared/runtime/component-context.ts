import type { DatabaseHandle } from './db.ts';
import type { PropDeclaration } from './declarations.ts';
import { type Dict, isDict, isFunction } from './guards.ts';
import { httpRequest } from './http-request.ts';
import { functionsIn, type LoadedComponent } from './load.ts';

/** Input for the `this` of one job. */
export interface ComponentContextOptions {
  /** Stored values; interface props are `{endpoint}`, app props `{$auth}`. */
  props: Dict;
  db: DatabaseHandle;
  emit: (event: unknown, meta?: unknown) => void;
  respond: (response: unknown) => void;
}

/**
 * The `this` that run, hooks and methods of a job share. Every job gets a new one, so that members set by a component
 * do not outlive the job.
 */
export function createComponentContext(component: LoadedComponent, options: ComponentContextOptions): Dict {
  const self: Dict = {};
  const declared = new Set<string>();
  for (const declaration of component.declarations) {
    declared.add(declaration.name);
    const value = valueOf(declaration, self, options);
    if (value !== undefined) self[declaration.name] = value;
  }
  for (const [name, value] of Object.entries(options.props)) {
    // Props of `additionalProps` are not declared in the code.
    if (!declared.has(name)) self[name] = undeclared(value, options);
  }
  for (const [name, method] of component.methods) self[name] = method.bind(self);
  self['$emit'] = options.emit;
  // Hooks may call `this.run`. Not enumerable, so that `console.log(this)` does not show it.
  if (component.run && !('run' in self)) {
    const run = component.run.bind(self);
    Object.defineProperty(self, 'run', { value: run, writable: true, configurable: true, enumerable: false });
  }
  return self;
}

function valueOf({ name, type, fields, app }: PropDeclaration, self: Dict, options: ComponentContextOptions): unknown {
  if (type === '$.service.db') return options.db;
  const stored = Object.hasOwn(options.props, name) ? options.props[name] : undefined;
  if (app) return appObject(app, stored);
  if (type === '$.interface.http') return httpInterface(stored, options);
  if (type === '$.interface.timer') return timerInterface(stored);
  const value = stored ?? defaultOf(fields['default'], self);
  if (type === 'http_request') return value === undefined ? undefined : httpRequest(value);
  return unlabelled(value, fields['withLabel'] === true);
}

/** The object of an app prop. Its methods have their own `this`, with the account and the app's methods. */
export function appObject(app: Dict, stored: unknown): Dict {
  const self: Dict = {};
  // Not enumerable, so that neither `console.log(this)` nor `JSON.stringify(this)` shows an account.
  const $auth = isDict(stored) && isDict(stored['$auth']) ? { ...stored['$auth'] } : {};
  Object.defineProperty(self, '$auth', { value: $auth, enumerable: false, writable: true });
  // A propDefinition may refer to this object instead of the app's module.
  for (const name of ['app', 'propDefinitions'])
    Object.defineProperty(self, name, { value: app[name], enumerable: false, writable: true });
  for (const [name, method] of functionsIn(app['methods'])) self[name] = method.bind(self);
  return self;
}

const httpInterface = (stored: unknown, { respond }: ComponentContextOptions): Dict => ({
  ...(isDict(stored) ? stored : {}),
  respond,
});

/** Components read the interval by either name. */
const timerInterface = (stored: unknown): unknown =>
  isDict(stored) && Object.hasOwn(stored, 'interval_seconds')
    ? { ...stored, intervalSeconds: stored['interval_seconds'] }
    : stored;

function undeclared(value: unknown, options: ComponentContextOptions): unknown {
  if (isDict(value) && typeof value['endpoint'] === 'string') return httpInterface(value, options);
  if (isDict(value) && isDict(value['$auth'])) return appObject({}, value);
  if (isDict(value) && 'interval_seconds' in value && 'cron' in value) return timerInterface(value);
  return unlabelled(value, false);
}

/** The default of a prop without a stored value; a function is called, without support for promises. */
function defaultOf(declared: unknown, self: Dict): unknown {
  if (!isFunction(declared)) return isDict(declared) || Array.isArray(declared) ? copy(declared) : declared;
  const value = declared.call(self);
  return value instanceof Promise ? undefined : value;
}

/**
 * Copies a default, because it belongs to the module: a component that changes its prop must not change the default.
 */
function copy(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

/** Unwraps values stored with their label: `{__lv: {label, value}}`. */
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
