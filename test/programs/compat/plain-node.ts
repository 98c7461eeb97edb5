import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFiles } from '../../support/package-files.ts';
import { PIPEDREAM } from '../../support/pipedream.ts';

/** A component as plain Node sees it when it loads the file. */
export interface Seen {
  /** Below the package's folder. */
  readonly path: string;
  readonly name: string;
  readonly key?: string;
  readonly version: string;
  readonly hooks: string[];
  /** Props in order, with the members that are known without running code. */
  readonly props: Record<string, unknown>[];
}

/** Compared members of each prop. */
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
const MAX_BYTES = 64 * 1024 * 1024;

/** The options of a prop of the GitHub sources are data of this package. */
const DATA_PACKAGE = {
  name: '@octokit/webhooks-definitions',
  version: '3.68.1',
  integrity: 'sha512-wa8koFift24mUsMarWP/wfl9kIwqL5TK9smsCRIyJYfs9iYQEoJsQjcmhyKCmevPA8Ja/K1ZTE4W8ABA0yMM8g==',
};

/**
 * Replaces every package but {@link DATA_PACKAGE} with a stand-in. The declarations of a component do not depend on the
 * other packages.
 */
const STAND_INS = `
const { name: dataPackage, folder: dataFolder } = JSON.parse(process.env.DATA_PACKAGE);
const Module = require('node:module');
const load = Module._load;
const standIn = () => new Proxy(function () {}, {
  get: (target, member) => member === 'prototype' ? target.prototype : member === 'then' || member === 'toJSON' ? undefined : member === Symbol.toPrimitive ? () => '' : standIn(),
  apply: standIn,
  construct: standIn,
});
Module._load = function (request, ...rest) {
  if (Module.isBuiltin(request) || /^[./]/.test(request)) return load.call(this, request, ...rest);
  if (request.startsWith(dataPackage)) return load.call(this, dataFolder + request.slice(dataPackage.length), ...rest);
  return standIn();
};`;

/** Prints JSON of what each file exports whose path is an argument. */
const LOOK = `
const [members, ...paths] = process.argv.slice(1);
const resolved = (declared) => {
  if (typeof declared === 'string') return { type: declared };
  const reference = declared.propDefinition;
  const inherited = reference ? resolved(((reference[0] || {}).propDefinitions || {})[reference[1]] || {}) : {};
  return { ...inherited, ...declared };
};
const prop = ([name, declared]) => {
  const fields = { ...resolved(declared), name };
  if (typeof fields.type !== 'string') fields.type = 'any';
  return Object.fromEntries(JSON.parse(members).filter((member) => member in fields && typeof fields[member] !== 'function').map((member) => [member, fields[member]]));
};
console.log = () => {};
const found = paths.map((path) => {
  const component = require(path);
  if (!component || !component.name || !component.version) return null;
  const { name, key, version, props = {}, hooks = {} } = component;
  const all = ['deploy', 'activate', 'deactivate'].filter((hook) => hooks[hook] || component[hook]);
  return { name, key, version, hooks: all, props: Object.entries(props).map(prop) };
});
process.stdout.write(JSON.stringify(found), () => process.exit(0));`;

/** Loads components in a process of its own, as plain Node does, and returns the output of the script. */
export async function inPlainNode(script: string, args: readonly string[]): Promise<string> {
  const folder = await packageFiles(DATA_PACKAGE);
  const { stdout } = await run(process.execPath, ['-e', STAND_INS + script, ...args], {
    maxBuffer: MAX_BYTES,
    env: { ...process.env, DATA_PACKAGE: JSON.stringify({ name: DATA_PACKAGE.name, folder }) },
  });
  return stdout;
}

/** The 243 sources of the package; files that are no component are left out. */
export async function seenByNode(): Promise<Seen[]> {
  const files = await readdir(join(PIPEDREAM, 'components'), { recursive: true });
  const paths = files
    .filter((file) => /^[^/]+\/sources\/.*\.js$/.test(file))
    .sort()
    .map((file) => `components/${file}`);
  const absolute = paths.map((path) => join(PIPEDREAM, path));
  const found = JSON.parse(await inPlainNode(LOOK, [JSON.stringify(MEMBERS), ...absolute])) as (Omit<
    Seen,
    'path'
  > | null)[];
  return found.flatMap((seen, at) => (seen ? [{ ...seen, path: paths[at] ?? '' }] : []));
}
