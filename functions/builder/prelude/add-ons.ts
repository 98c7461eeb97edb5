import type * as NodeModule from 'node:module';
import { type Dict, isDict } from '../../../shared/runtime/guards.ts';

type Module = typeof NodeModule;

/** The package of a specifier. */
const PACKAGE = /^(?:@[^/]+[/])?[^./@][^/]*(?=[/])/;

/** Refuses native add-ons as Node does missing ones, so that packages with a fallback use it. */
export function refusedAddOns() {
  let asked: string | undefined;

  function addOn(name: string): Error {
    if (asked === undefined || asked.endsWith('.node')) asked = name;
    const error = new Error(`the package "${name}" needs a native add-on, which components cannot use`);
    return Object.assign(error, { code: 'MODULE_NOT_FOUND', nativeAddOn: name });
  }

  /** A `require` that also refuses add-ons at paths that are computed at run time. */
  function requireFrom(original: NodeJS.Require): NodeJS.Require {
    const refusing = (id: string): unknown => {
      if (/^(?:node:)?module$/.test(id)) return moduleFrom(original(id));
      if (typeof id !== 'string' || !id.endsWith('.node')) return original(id);
      throw addOn(PACKAGE.exec(id)?.[0] ?? id.split('/').at(-1) ?? id);
    };
    return Object.assign(refusing, original);
  }

  const moduleFrom = (builtin: Module): Module =>
    new Proxy(builtin, {
      get: (target, name): unknown =>
        name === 'createRequire'
          ? (from: string | URL) => requireFrom(target.createRequire(from))
          : Reflect.get(target, name),
    });

  /** The error of a bundle that could not be loaded: it names the add-on that was asked for before. */
  function causeOf(thrown: unknown): unknown {
    const { nativeAddOn, message = thrown }: Dict = isDict(thrown) ? thrown : {};
    if (asked === undefined || nativeAddOn !== undefined) return thrown;
    const [why] = String(message).split('\n', 1);
    const text = `the package "${asked}" needs a native add-on, which components cannot use: ${why}`;
    return Object.assign(new Error(text, { cause: thrown }), { nativeAddOn: asked });
  }

  return { addOn, requireFrom, causeOf };
}
