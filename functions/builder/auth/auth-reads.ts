import { type AuthReads, MAX_AUTH_FIELDS, MAX_AUTH_READS } from '../../../shared/domain/component/auth-fields.ts';
import { type App, fileReads, type FileReads } from './file-reads.ts';
import type { Script } from '../syntax-tree.ts';

/*
 * Finds the fields of a connected account that a component reads. A form can then ask for exactly these.
 *
 * The compiler turns each file of the component into JavaScript, and a parser turns that into a syntax tree. Files of
 * packages are not looked at. In the tree these are reads of the field `token`:
 *
 *     this.github.$auth.token          this.$auth?.['token']           const { token = '', ...others } = this.$auth
 *     const { $auth } = this.github; $auth.token                       const { github: { $auth: { token: renamed } } } = this
 *     const auth = this.$auth ?? {}; auth.token                        ({ $auth }) => $auth.token
 *     get(this, '$auth.token')
 *
 * No reads are: a computed name (`$auth[name]`), a copy (`{ ...this.$auth }`), and an `$auth` that is handed on
 * (`connect(this.$auth)`).
 *
 * A component may have several app props. Each read tells what it can about its own:
 *
 * 1. The name before `.$auth`. In `this.github.$auth.token` it is `github`, surely a prop if the component has an app
 *    prop of that name.
 * 2. The apps of the file. A file with an object `{ type: 'app', app: 'github', … }` is one of the app `github`, and so
 *    are the files that it imports, and the files that these import. There `this` is the app. An app that extends
 *    another one imports its file, so a file may belong to both. In the component's own file an app is only that
 *    object.
 *
 * `withAuthFields` (shared/domain/component/auth-fields.ts) decides when the props are known: by 1, else by 2, else the
 * read counts for every app prop.
 */

/**
 * Characters of the scripts of one component that are parsed; more are not looked at. Real components have a hundredth.
 */
const MAX_CHARACTERS = 1024 * 1024;

type Slug = App['slug'];

/** File id → ids of the component's files that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The names that the files of a component read as `$auth.<name>`, in groups. The same files give the same result. */
export function authReadsOf(
  scripts: readonly Script[],
  { entry, imports }: { entry: Script['id']; imports: Imports },
): AuthReads {
  if (!scripts.some(({ text }) => text.includes('$auth'))) return [];
  const found = new Map<string, FileReads>();
  let left = MAX_CHARACTERS;
  for (const { id, text, tree } of scripts) {
    if (text.length > left) continue;
    left -= text.length;
    const program = tree();
    if (program) found.set(id, fileReads(program, { isEntry: id === entry }));
  }
  return groupsOf(found, appsByFile(found, imports));
}

/** The apps that each file belongs to: those that it defines, and those of the files that import it. */
function appsByFile(found: ReadonlyMap<string, FileReads>, imports: Imports): ReadonlyMap<string, string[]> {
  const apps = new Map<string, Set<Slug>>();
  for (const [id, file] of found) {
    if (file.apps.size === 0) continue;
    const reached = new Set([id]);
    for (const one of reached) for (const imported of imports.get(one) ?? []) reached.add(imported);
    for (const one of reached) apps.set(one, new Set([...(apps.get(one) ?? []), ...file.apps]));
  }
  return new Map([...apps].map(([id, slugs]) => [id, knownSlugs(slugs)]));
}

/** Empty, which stands for any app, when one of the slugs is unknown. */
function knownSlugs(slugs: ReadonlySet<Slug>): string[] {
  const known = [...slugs].filter((slug) => slug !== undefined);
  return known.length === slugs.size && known.length <= MAX_AUTH_READS ? known.sort() : [];
}

function groupsOf(found: ReadonlyMap<string, FileReads>, apps: ReadonlyMap<string, string[]>): AuthReads {
  const groups = new Map<string, { prop: string | undefined; apps: string[]; names: Set<string> }>();
  for (const [id, { reads }] of found) {
    for (const { name, prop, within } of reads) {
      const slugs = within ? knownSlugs(new Set([within.slug])) : (apps.get(id) ?? []);
      const key = JSON.stringify([prop ?? null, slugs]);
      const group = groups.get(key) ?? { prop, apps: slugs, names: new Set() };
      groups.set(key, group);
      group.names.add(name);
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_AUTH_READS)
    .map(([, { prop, apps: slugs, names }]) => ({
      names: [...names].sort().slice(0, MAX_AUTH_FIELDS),
      ...(prop === undefined ? {} : { prop }),
      apps: slugs,
    }));
}
