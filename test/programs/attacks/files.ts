import { type Attack, DENIED, REACHED } from './attack.ts';

/**
 * At the levels sandbox and user, the operating system hides the file; at the level process, the permission model
 * refuses the access.
 */
const walled = (hidden: string) => ({ sandbox: hidden, user: hidden, process: DENIED });

/** Attempts to read and write files of the machine and of others. */
export const files: readonly Attack[] = [
  {
    attempt: 'read the environment in `/proc/self`',
    code: `fs.readFileSync('/proc/self/environ', 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'read the environment of the service in `/proc`',
    code: `fs.readFileSync('/proc/' + target.service + '/environ', 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'read the memory of its own process',
    code: `fs.openSync('/proc/self/mem', 'r')`,
    outcome: DENIED,
  },
  { attempt: 'list processes', code: `fs.readdirSync('/proc').length`, outcome: DENIED },
  { attempt: 'list the root', code: `fs.readdirSync('/').join()`, outcome: DENIED },
  { attempt: 'read `/etc/passwd`', code: `fs.promises.readFile('/etc/passwd', 'utf8')`, outcome: DENIED },
  {
    attempt: 'read a file by its absolute path',
    code: `fs.readFileSync(target.canary, 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'read it through a path that leads out of `/tmp`',
    code: `fs.readFileSync('/tmp/../../../../../../..' + target.canary, 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'read it by a path in a buffer',
    code: `fs.readFileSync(Buffer.from('/tmp/../../../../../..' + target.canary), 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'read it by a URL with encoded dots',
    code: `fs.readFileSync(new URL('file:///tmp/%2e%2e/%2e%2e/%2e%2e' + target.canary), 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'read it by a typed array, with patched encoders',
    code: `(() => { const own = Buffer.from(target.canary); const { utf8Write, toString } = Buffer.prototype; Buffer.prototype.utf8Write = () => 0; Buffer.prototype.toString = () => process.cwd() + '/x'; try { return String(fs.readFileSync(new Uint8Array(own)).length); } finally { Object.assign(Buffer.prototype, { utf8Write, toString }); } })()`,
    outcome: DENIED,
  },
  {
    attempt: 'read it after a change of the working directory',
    code: `(process.chdir('/'), fs.readFileSync('.' + target.canary, 'utf8'))`,
    outcome: DENIED,
  },
  {
    attempt: 'read it as a stream',
    code: `new Promise((ok, no) => fs.createReadStream(target.canary).on('data', (d) => ok(String(d))).on('error', no))`,
    outcome: DENIED,
  },
  {
    attempt: 'read it as a blob',
    code: `fs.openAsBlob(target.canary).then((blob) => blob.text())`,
    outcome: DENIED,
  },
  {
    attempt: 'import it as a module',
    code: `import('file://' + target.canary).then(() => 'imported')`,
    outcome: walled('ERR_MODULE_NOT_FOUND'),
  },
  { attempt: 'require it', code: `require(target.canary)`, outcome: walled('MODULE_NOT_FOUND') },
  {
    attempt: 'import it with an attribute',
    code: `new Function('path', 'return import("file://" + path, { with: { type: "json" } })')(target.canary).then(() => 'imported')`,
    outcome: walled('ERR_MODULE_NOT_FOUND'),
  },
  { attempt: 'copy it', code: `fs.cpSync(target.canary, '/tmp/copy')`, outcome: DENIED },
  { attempt: 'link to it', code: `fs.symlinkSync(target.canary, '/tmp/link')`, outcome: DENIED },
  { attempt: 'make a hard link to it', code: `fs.linkSync(target.canary, '/tmp/link')`, outcome: DENIED },
  { attempt: 'watch its directory', code: `fs.watch(target.folder) && 'watching'`, outcome: DENIED },
  { attempt: 'learn its size', code: `fs.statSync(target.canary).size`, outcome: DENIED },
  {
    attempt: 'learn that it exists, by resolving it as a module',
    code: `(require.resolve(target.canary), '${REACHED}')`,
    outcome: { sandbox: 'MODULE_NOT_FOUND', user: 'MODULE_NOT_FOUND', process: REACHED },
  },
  { attempt: 'change it', code: `fs.writeFileSync(target.canary, 'changed')`, outcome: DENIED },
  { attempt: 'change its mode', code: `fs.chmodSync(target.canary, 0o777)`, outcome: DENIED },
  { attempt: 'make a directory beside it', code: `fs.mkdtempSync(target.folder + '/x-')`, outcome: DENIED },
  {
    attempt: 'write beside its own directory',
    code: `fs.writeFileSync(process.cwd() + '/../x', '')`,
    outcome: DENIED,
  },
  {
    attempt: 'change its own code',
    code: `fs.writeFileSync(process.cwd() + '/../code/bundle.mjs', '')`,
    outcome: DENIED,
  },
  {
    attempt: 'list the directories of other sources',
    code: `fs.readdirSync(process.cwd() + '/../..').join()`,
    outcome: DENIED,
  },
  {
    attempt: "read another source's files",
    code: `fs.readFileSync(target.neighbour, 'utf8')`,
    outcome: DENIED,
  },
  {
    attempt: 'open a database natively (`node:sqlite`, where there is one)',
    code: `new (require('node:sqlite').DatabaseSync)(target.canary) && 'opened'`,
    outcome: 'ERR_UNKNOWN_BUILTIN_MODULE',
    newest: DENIED,
  },
];
