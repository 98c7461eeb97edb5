import * as z from 'zod';
import { isWellFormed, LONGEST, plainText } from '../text.ts';

/** Name of the entry file of code that is sent without a path. */
export const DEFAULT_PATH = 'component.mjs';

const MAX_FILES = 50;

/** A file's path without `./` and detours; undefined for one that is not below the component's folder. */
export function normalPath(path: string): string | undefined {
  if (path.startsWith('/') || path.endsWith('/') || path.includes('\\')) return undefined;
  const normal: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') normal.push(segment);
    else if (normal.pop() === undefined) return undefined;
  }
  return normal.length === 0 ? undefined : normal.join('/');
}

const RELATIVE = 'must be a relative path below the component, such as lib/api.mjs';

export const ComponentPath = plainText(LONGEST.path).refine((path) => normalPath(path) !== undefined, RELATIVE);

/** Relative path → text, as pairs: a path may be any text, also `__proto__`. */
export const SentFiles = z.array(z.tuple([z.string(), z.string()]));
export type SentFiles = z.infer<typeof SentFiles>;

/** Files of a request. Limited in size by the body. */
export const FilesInput = z
  .custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object')
  .transform((files, context): SentFiles => {
    const sent: SentFiles = [];
    const paths = new Set<string>();
    const refuse = (message: string, path: string[]) => context.addIssue({ code: 'custom', message, path });
    for (const [path, text] of Object.entries(files)) {
      const isPath = ComponentPath.safeParse(path).success;
      const normal = normalPath(path) ?? '';
      if (!isPath) refuse(RELATIVE, [path]);
      else if (paths.has(normal)) refuse('names a file that another path names too', [path]);
      else if (typeof text !== 'string' || !isWellFormed(text)) refuse('must be the text of a file', [path]);
      else sent.push([path, text]);
      paths.add(normal);
    }
    if (paths.size > MAX_FILES) refuse(`must have at most ${MAX_FILES} files`, []);
    return sent;
  });
