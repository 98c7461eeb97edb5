import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyFunction, isFunction } from '../../shared/runtime/guards.ts';

/** Functions of `fs` whose first argument is a path; each may have a `…Sync` twin and one in `fs.promises`. */
const ONE_PATH =
  'access appendFile chmod chown createReadStream createWriteStream exists lchown lstat lutimes mkdir mkdtemp open openAsBlob opendir readFile readdir readlink realpath rm rmdir stat statfs truncate unlink unwatchFile utimes watch watchFile writeFile';
const TWO_PATHS = 'copyFile cp link rename symlink';

/**
 * Components write to `/tmp`. The permission model allows a child its own directory only, so that one source cannot read
 * what another left; `/tmp/…` therefore means a place in there, for every function of `fs`.
 */
export function mapTmpTo(directory: string): void {
  const mapped = (path: unknown) => own(path, directory);
  for (const name of ONE_PATH.split(' ')) {
    for (const place of [fs, fs.promises]) wrap(place, name, (args) => [mapped(args[0]), ...args.slice(1)]);
    wrap(fs, `${name}Sync`, (args) => [mapped(args[0]), ...args.slice(1)]);
  }
  for (const name of TWO_PATHS.split(' ')) {
    const both = (args: unknown[]) => [mapped(args[0]), mapped(args[1]), ...args.slice(2)];
    for (const place of [fs, fs.promises]) wrap(place, name, both);
    wrap(fs, `${name}Sync`, both);
  }
  // Without this `import { readFile } from 'node:fs'` would still see the originals.
  syncBuiltinESMExports();
}

function wrap(place: object, name: string, args: (given: unknown[]) => unknown[]): void {
  const original: unknown = Reflect.get(place, name);
  if (!isFunction(original)) return;
  Reflect.set(place, name, wrapped(original, args));
}

function wrapped(original: AnyFunction, args: (given: unknown[]) => unknown[]): AnyFunction {
  const replacement = function (this: unknown, ...given: unknown[]) {
    return original.apply(this, args(given));
  };
  // `util.promisify.custom` of `exists`, `native` of `realpath`.
  Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
  const native: unknown = Reflect.get(original, 'native');
  if (isFunction(native)) Reflect.set(replacement, 'native', wrapped(native, args));
  return replacement;
}

function own(path: unknown, directory: string): unknown {
  const text = path instanceof URL && path.protocol === 'file:' ? fileURLToPath(path) : path;
  const name = Buffer.isBuffer(text) ? text.toString() : text;
  if (typeof name !== 'string' || !(name === '/tmp' || name.startsWith('/tmp/'))) return path;
  // The child's place may itself lie in /tmp: what is in it, and what leads to it, is meant as it is written.
  const place = dirname(directory);
  const isPlace = name === place || name.startsWith(`${place}/`);
  const leadsThere = name !== '/tmp' && place.startsWith(`${name}/`);
  return isPlace || leadsThere ? path : directory + name.slice('/tmp'.length);
}
