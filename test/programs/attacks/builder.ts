import type { Attack } from './attack.ts';
import type { Entry } from '../../support/builder/archive.ts';

/**
 * An attempt to make the builder read, write or connect to what no build may. `$OUTSIDE` stands for a directory with
 * canaries.
 */
export interface BuildAttack {
  attempt: string;
  /** Code of the component; without it, the component imports the package `attack` that has the rest. */
  code?: string;
  files?: Readonly<Record<string, string>>;
  manifest?: Readonly<Record<string, unknown>>;
  /** Further entries of the package's archive. */
  entries?: readonly Entry[];
  /** The registry answers with this address instead of the archive. */
  redirect?: string;
  /** Part of the message of the 400, or `builds` for a build that has nothing of the attempt. */
  outcome: Attack['outcome'];
}

/** The attempt has no effect. */
export const BUILDS = 'builds';

const OUTSIDE = "neither can files outside of the component's packages";
/** In the sandbox the file does not exist. */
const existing = (sandbox: string, others: string) => ({ sandbox, user: others, process: others });
const CLIMB = '../'.repeat(24);
const MAP = '//# sourceMappingURL=file:///proc/self/environ';
const CANARY_MAP = '//# sourceMappingURL=file://$OUTSIDE/canary.js';
const plain = { 'index.js': `module.exports = 'value'` };
const main = (file: string) => ({ manifest: { main: file } });
const depends = (on: string) => ({ files: plain, manifest: { dependencies: { other: on } } });
const metadata = 'http://169.254.169.254/latest/meta-data/';

export const buildAttacks: readonly BuildAttack[] = [
  {
    attempt: '`sourceMappingURL=/proc/self/environ` in `component_code`',
    code: `export default { name: 'x' }\n${MAP}`,
    outcome: BUILDS,
  },
  {
    attempt: 'of a canary, in code with an error',
    code: `export default {\n${CANARY_MAP}\n`,
    outcome: 'end of file',
  },
  {
    attempt: 'in a package',
    files: { 'index.js': `module.exports = 'value'\n${CANARY_MAP}` },
    outcome: BUILDS,
  },
  {
    attempt: "import '/etc/passwd'",
    code: `import x from '/etc/passwd'; export default { x }`,
    outcome: 'cannot be imported',
  },
  {
    attempt: 'import a `file:` URL',
    code: `import x from 'file://$OUTSIDE/canary.js'; export default { x }`,
    outcome: 'cannot be imported',
  },
  {
    attempt: 'climb out of the component',
    code: `import x from './${CLIMB}$OUTSIDE/canary.js'; export default { x }`,
    outcome: 'is a relative import, and code sent as text has no other files',
  },
  {
    attempt: 'import attributes (`type: "text"`)',
    code: `import x from '$OUTSIDE/canary.js' with { type: 'text' }; export default { x }`,
    outcome: 'the import attribute type: "text" is not supported',
  },
  {
    attempt: 'a computed path',
    code: 'export default { x: (name) => import(`' + CLIMB + '$OUTSIDE/${name}`) }',
    outcome: 'computed paths cannot be imported',
  },
  {
    attempt: 'require an absolute path in a package',
    files: { 'index.js': `module.exports = require('$OUTSIDE/canary.js')` },
    outcome: existing(BUILDS, OUTSIDE),
  },
  {
    attempt: 'import a `file:` URL in a package',
    files: { 'index.mjs': `import x from 'file://$OUTSIDE/canary.js'; export default x` },
    ...main('index.mjs'),
    outcome: BUILDS,
  },
  {
    attempt: 'import attributes in a package',
    files: { 'index.mjs': `import x from '$OUTSIDE/canary.js' with { type: 'text' }; export default x` },
    ...main('index.mjs'),
    outcome: existing(BUILDS, 'the import attribute type: "text" is not supported'),
  },
  {
    attempt: 'a computed path in a package',
    files: { 'index.js': `module.exports = (name) => require('./${CLIMB}$OUTSIDE/' + name)` },
    outcome: 'computed paths cannot be imported',
  },
  {
    attempt: '`main` that climbs',
    files: {},
    ...main(`${CLIMB}$OUTSIDE/canary.js`),
    outcome: existing('has no main file', OUTSIDE),
  },
  {
    attempt: '`browser` that climbs',
    files: plain,
    manifest: { browser: { './index.js': '$OUTSIDE/canary.js' } },
    outcome: BUILDS,
  },
  {
    attempt: '`exports` that climb',
    files: plain,
    manifest: { exports: `./${CLIMB}$OUTSIDE/canary.js` },
    outcome: 'has no main file',
  },
  {
    attempt: '`imports` that climb',
    files: { 'index.mjs': `import x from '#out'; export default x` },
    manifest: { main: 'index.mjs', imports: { '#out': '$OUTSIDE/canary.js' } },
    outcome: BUILDS,
  },
  {
    attempt: '`extends` of a `tsconfig.json`',
    files: {
      'index.ts': `export default 'value' as string`,
      'tsconfig.json': `{"extends":"$OUTSIDE/tsconfig.json"}`,
    },
    ...main('index.ts'),
    outcome: BUILDS,
  },
  {
    attempt: 'a symbolic link in the archive',
    files: { 'index.js': `module.exports = require('./link.js')` },
    entries: [{ path: 'package/link.js', type: '2', target: '$OUTSIDE/canary.js' }],
    outcome: BUILDS,
  },
  {
    attempt: 'a hard link in the archive',
    files: { 'index.js': `module.exports = require('./link.js')` },
    entries: [{ path: 'package/link.js', type: '1', target: '$OUTSIDE/canary.js' }],
    outcome: BUILDS,
  },
  {
    attempt: 'a linked directory in the archive, and a file in it',
    files: plain,
    entries: [
      { path: 'package/up', type: '2', target: '$OUTSIDE' },
      { path: 'package/up/written', content: 'x' },
    ],
    outcome: BUILDS,
  },
  {
    attempt: '`..` in the archive',
    files: plain,
    entries: [{ path: `package/${'../'.repeat(12)}$OUTSIDE/written`, content: 'x' }],
    outcome: BUILDS,
  },
  {
    attempt: 'an absolute path in the archive',
    files: plain,
    entries: [{ path: '$OUTSIDE/written', content: 'x' }],
    outcome: BUILDS,
  },
  {
    attempt: 'lifecycle scripts',
    files: plain,
    manifest: {
      scripts: Object.fromEntries(
        ['preinstall', 'install', 'postinstall', 'prepare'].map((name) => [name, 'touch $OUTSIDE/written']),
      ),
    },
    outcome: BUILDS,
  },
  {
    attempt: 'a `binding.gyp`, which npm would build',
    files: {
      ...plain,
      'binding.gyp': `{ "targets": [{ "target_name": "<!(touch $OUTSIDE/written)", "type": "none" }] }`,
    },
    outcome: 'needs a native add-on',
  },
  {
    attempt: '`.npmrc` in a package',
    files: { ...plain, '.npmrc': `registry=${metadata}\nignore-scripts=false\n` },
    outcome: BUILDS,
  },
  { attempt: 'a dependency by `file:`', ...depends('file:$OUTSIDE'), outcome: 'cannot be installed' },
  { attempt: 'by `link:`', ...depends('link:$OUTSIDE'), outcome: 'cannot be installed' },
  { attempt: 'by `workspace:`', ...depends('workspace:*'), outcome: 'cannot be installed' },
  { attempt: 'by git', ...depends('git+https://127.0.0.1/x.git'), outcome: 'cannot be installed' },
  {
    attempt: 'by git with a helper',
    ...depends('git+ext::sh -c touch% $OUTSIDE/written'),
    outcome: 'cannot be installed',
  },
  { attempt: 'by an address', ...depends(`${metadata}x.tgz`), outcome: 'cannot be installed' },
  {
    attempt: 'an archive that is redirected to the metadata',
    files: plain,
    redirect: metadata,
    outcome: '169.254.169.254',
  },
  { attempt: 'to a private address', files: plain, redirect: 'http://10.0.0.1/x.tgz', outcome: '10.0.0.1' },
  { attempt: 'to loopback', files: plain, redirect: 'http://127.0.0.2:1/x.tgz', outcome: '127.0.0.2' },
  {
    attempt: 'to a file',
    files: plain,
    redirect: 'file://$OUTSIDE/canary.js',
    outcome: 'the manifest or the archive of a package is invalid',
  },
];
