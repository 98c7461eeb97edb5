import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyFunction, isFunction } from '../../../shared/runtime/guards.ts';

/** Captured before a component can replace it. */
const { apply } = Reflect;

/** Functions of `fs` whose first argument is a path. Each may also have a `…Sync` form and one in `fs.promises`. */
const ONE_PATH =
  'access appendFile chmod chown createReadStream createWriteStream exists lchown lstat lutimes mkdir mkdtemp open openAsBlob opendir readFile readdir readlink realpath rm rmdir stat statfs truncate unlink unwatchFile utimes watch watchFile writeFile';
const TWO_PATHS = 'copyFile cp link rename symlink';

/**
 * Makes `/tmp/…` a path in the child's own directory, for every function of `fs`. Components write to `/tmp`, and the
 * permission model allows a child its own directory only, so that no source can read the files of another.
 */
export function mapTmpTo(directory: string): void {
  const mapped = (path: unknown) => own(path, directory);
  for (const name of ONE_PATH.split(' ')) {
    for (const target of [fs, fs.promises]) wrap(target, name, (args) => [mapped(args[0]), ...args.slice(1)]);
    wrap(fs, `${name}Sync`, (args) => [mapped(args[0]), ...args.slice(1)]);
  }
  for (const name of TWO_PATHS.split(' ')) {
    const both = (args: unknown[]) => [mapped(args[0]), mapped(args[1]), ...args.slice(2)];
    for (const target of [fs, fs.promises]) wrap(target, name, both);
    wrap(fs, `${name}Sync`, both);
  }
  // Otherwise `import { readFile } from 'node:fs'` would get the original functions.
  syncBuiltinESMExports();
}

function wrap(target: object, name: string, map: (args: unknown[]) => unknown[]): void {
  const original: unknown = Reflect.get(target, name);
  if (!isFunction(original)) return;
  Reflect.set(target, name, wrapped(original, map));
}

function wrapped(original: AnyFunction, map: (args: unknown[]) => unknown[]): AnyFunction {
  const replacement = function (this: unknown, ...args: unknown[]) {
    return apply(original, this, map(args));
  };
  // Copies `util.promisify.custom` of `exists` and `native` of `realpath`.
  Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
  const native: unknown = Reflect.get(original, 'native');
  if (isFunction(native)) Reflect.set(replacement, 'native', wrapped(native, map));
  return replacement;
}

function own(path: unknown, directory: string): unknown {
  const text = path instanceof URL && path.protocol === 'file:' ? fileURLToPath(path) : path;
  const name = Buffer.isBuffer(text) ? text.toString() : text;
  if (typeof name !== 'string' || !(name === '/tmp' || name.startsWith('/tmp/'))) return path;
  // The child's directory may itself be in /tmp: paths in it, and its parents, stay as they are.
  const parent = dirname(directory);
  const isInside = name === parent || name.startsWith(`${parent}/`);
  const isAbove = name !== '/tmp' && parent.startsWith(`${name}/`);
  return isInside || isAbove ? path : directory + name.slice('/tmp'.length);
}
