import { resolve, sep } from 'node:path';

/** Longer paths are cut by the system. */
const LONGEST_PATH = 107;

const { apply } = Reflect;
const { includes, startsWith } = String.prototype;
const bytesOf = Buffer.byteLength;

/** The absolute path of a Unix socket that a component may use: below its own directory. Undefined for any other. */
export function ownSocketPath(directory: string): (path: string) => string | undefined {
  const own = directory + sep;
  return (path) => {
    const absolute = resolve(directory, path);
    const isOwn =
      apply(startsWith, absolute, [own]) && !apply(includes, absolute, ['\0']) && bytesOf(absolute) <= LONGEST_PATH;
    return isOwn ? absolute : undefined;
  };
}
