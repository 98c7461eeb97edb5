import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A component as plain Node sees it when it loads the file. */
export interface Seen {
  /** Below the package's folder. */
  readonly path: string;
  readonly name: string;
  readonly key?: string;
  readonly version: string;
  readonly hooks: string[];
  /** In order; of each what can be told without running anything. */
  readonly props: Record<string, unknown>[];
}

export const PACKAGE = 'node_modules/pipedream';
/** What is compared of each prop. */
export const MEMBERS = [
  'name',
  'type',
  'label',
  'description',
  'optional',
  'default',
  'options',
  'secret',
  'min',
  'max',
  'customResponse',
  'app',
  'appProp',
] as const;

const run = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;

/** Run by `node -e` with the paths as arguments; prints JSON of what each file exports, or of the package that it lacks. */
const LOOK = `
const [members, ...paths] = process.argv.slice(1);
const resolved = (given) => {
  if (typeof given === 'string') return { type: given };
  const reference = given.propDefinition;
  const inherited = reference ? resolved(((reference[0] || {}).propDefinitions || {})[reference[1]] || {}) : {};
  return { ...inherited, ...given };
};
const prop = ([name, given]) => {
  const fields = { ...resolved(given), name };
  if (typeof fields.type !== 'string') fields.type = 'any';
  return Object.fromEntries(JSON.parse(members).filter((member) => member in fields && typeof fields[member] !== 'function').map((member) => [member, fields[member]]));
};
console.log = () => {};
const found = paths.map((path) => {
  try {
    const component = require(path);
    if (!component || !component.name || !component.version) return { path };
    const { name, key, version, props = {}, hooks = {} } = component;
    const all = ['deploy', 'activate', 'deactivate'].filter((hook) => hooks[hook] || component[hook]);
    return { path, name, key, version, hooks: all, props: Object.entries(props).map(prop) };
  } catch (error) {
    const [, lacks] = /Cannot find module '([^']+)'/.exec(error.message) || [];
    if (!lacks) throw error;
    return { path, lacks };
  }
});
process.stdout.write(JSON.stringify(found), () => process.exit(0));`;

type Found = (Seen | { path: string; lacks?: string })[];

/** The 243 sources of the package, each loaded by plain Node; a package that the package forgot to name is installed beside. */
export async function seenByNode(): Promise<Seen[]> {
  const files = await readdir(join(PACKAGE, 'components'), { recursive: true });
  const paths = files.filter((file) => /^[^/]+\/sources\/.*\.js$/.test(file)).sort();
  const [first, missing] = parted(await look(paths));
  if (missing.size === 0) return first;
  const beside = await mkdtemp(join(tmpdir(), 'plain-node-'));
  try {
    const packages = [...new Set(missing.values())];
    await run('npm', [
      'install',
      '--prefix',
      beside,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      ...packages,
    ]);
    const [second] = parted(await look([...missing.keys()], join(beside, 'node_modules')));
    return [...first, ...second].sort((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function look(paths: readonly string[], beside?: string): Promise<Found> {
  const absolute = paths.map((path) => resolve(PACKAGE, 'components', path));
  const { stdout } = await run(process.execPath, ['-e', LOOK, JSON.stringify(MEMBERS), ...absolute], {
    maxBuffer: MOST_BYTES,
    env: { ...process.env, ...(beside === undefined ? {} : { NODE_PATH: beside }) },
  });
  const found = JSON.parse(stdout) as Found;
  return found.map((one, at) => ({ ...one, path: `components/${paths[at] ?? ''}` }));
}

/** Sources, and the packages that others lack, by path; files that are no component are neither. */
function parted(found: Found): [Seen[], Map<string, string>] {
  const missing = new Map<string, string>();
  for (const one of found)
    if ('lacks' in one && one.lacks !== undefined)
      missing.set(one.path.replace(/^components\//, ''), one.lacks);
  return [found.filter((one): one is Seen => 'name' in one), missing];
}
