import { type Attack, DENIED } from './attack.ts';

/** Called with a text. */
const hidden = `JSON.stringify([process.env, process.argv, process.execArgv]).includes`;

/** Attempts to start, inspect and signal processes, and to change the engine. */
export const processes: readonly Attack[] = [
  { attempt: 'start a program', code: `require('child_process').execSync('id').toString()`, outcome: DENIED },
  {
    attempt: 'start another Node',
    code: `require('child_process').fork('/tmp/x.js') && 'forked'`,
    outcome: DENIED,
  },
  {
    attempt: 'start a worker',
    code: `new (require('worker_threads').Worker)('1', { eval: true }) && 'started'`,
    outcome: DENIED,
  },
  {
    attempt: 'register hooks of the module loader, which get a thread of their own',
    code: `require('module').register('data:text/javascript,export{}') ?? 'registered'`,
    outcome: DENIED,
  },
  { attempt: 'start a cluster', code: `require('cluster').fork() && 'forked'`, outcome: DENIED },
  {
    attempt: 'run WASI',
    code: `new (require('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }) && 'made'`,
    outcome: DENIED,
  },
  {
    attempt: 'load a native add-on',
    code: `(fs.writeFileSync('/tmp/x.node', ''), process.dlopen({ exports: {} }, process.cwd() + '/x.node'))`,
    outcome: 'ERR_DLOPEN_DISABLED',
  },
  {
    attempt: 'require a native add-on',
    code: `(fs.writeFileSync('/tmp/y.node', ''), require(process.cwd() + '/y.node'))`,
    outcome: 'ERR_DLOPEN_DISABLED',
  },
  { attempt: 'open the inspector', code: `require('inspector').open(0)`, outcome: DENIED },
  {
    attempt: 'attach to its own inspector',
    code: `new (require('inspector').Session)().connect() ?? 'connected'`,
    outcome: DENIED,
  },
  { attempt: 'use bindings of Node', code: `process.binding('fs') && 'bound'`, outcome: DENIED },
  {
    attempt: 'use linked bindings',
    code: `process._linkedBinding('fs') && 'bound'`,
    outcome: 'process._linkedBinding is not a function',
  },
  {
    attempt: 'require internal modules',
    code: `require('internal/test/binding') && 'required'`,
    outcome: 'MODULE_NOT_FOUND',
  },
  {
    attempt: 'set flags of the engine',
    code: `require('v8').setFlagsFromString('--allow-natives-syntax') ?? 'set'`,
    outcome: DENIED,
  },
  {
    attempt: 'set flags by a named import',
    code: `import('node:v8').then(({ setFlagsFromString }) => setFlagsFromString('--expose-gc') ?? 'set')`,
    outcome: DENIED,
  },
  {
    attempt: 'write a heap snapshot',
    code: `require('v8').writeHeapSnapshot(target.folder + '/x')`,
    outcome: DENIED,
  },
  {
    attempt: 'write a heap snapshot near the limit',
    code: `require('v8').setHeapSnapshotNearHeapLimit(1) ?? 'set'`,
    outcome: DENIED,
  },
  {
    attempt: 'write coverage',
    code: `(process.env.NODE_V8_COVERAGE = target.folder, require('v8').takeCoverage() ?? 'written')`,
    outcome: DENIED,
  },
  {
    attempt: 'write traces',
    code: `require('trace_events').createTracing({ categories: ['v8'] }).enable() ?? 'traced'`,
    outcome: DENIED,
  },
  {
    attempt: 'write a diagnostic report',
    code: `String(process.report?.writeReport(target.folder + '/report.json'))`,
    outcome: 'undefined',
  },
  {
    attempt: 'redirect diagnostic reports',
    code: `(process.report.directory = target.folder, 'redirected')`,
    outcome: "Cannot set properties of undefined (setting 'directory')",
  },
  { attempt: 'end the service', code: `process.kill(target.service, 'SIGTERM') && 'sent'`, outcome: 'EPERM' },
  { attempt: 'end its parent', code: `process.kill(process.ppid, 'SIGTERM') && 'sent'`, outcome: 'EPERM' },
  {
    attempt: 'open the inspector of its parent by a signal',
    code: `process.kill(process.ppid, 'SIGUSR1') && 'sent'`,
    outcome: 'EPERM',
  },
  { attempt: 'signal every process', code: `process.kill(-1, 0) && 'sent'`, outcome: 'EPERM' },
  { attempt: 'signal its group', code: `process.kill(0, 0) && 'sent'`, outcome: 'EPERM' },
  {
    attempt: 'signal a process by a handle that was not started, whose process id is not initialised',
    code: `new (require('child_process').ChildProcess)()._handle.kill(0)`,
    outcome: '-1',
  },
  {
    attempt: 'debug its parent',
    code: `process._debugProcess(process.ppid)`,
    outcome: 'process._debugProcess is not a function',
  },
  {
    attempt: 'overhear the original of a guard',
    code: `(() => { let heard; const { call, apply } = Function.prototype; Function.prototype.call = function (...args) { heard = this; return Reflect.apply(call, this, args); }; Function.prototype.apply = function (...args) { heard = this; return Reflect.apply(apply, this, args); }; try { process.kill(process.pid, 0); } catch {} Function.prototype.call = call; Function.prototype.apply = apply; return heard ? String(heard(process.ppid, 0)) : 'nothing heard'; })()`,
    outcome: 'nothing heard',
  },
  {
    attempt: 'replace a guard',
    code: `(() => { process._kill = () => 0; return process.kill(process.ppid, 'SIGUSR1') && 'sent'; })()`,
    outcome: "Cannot assign to read only property '_kill' of object '#<process>'",
  },
  {
    attempt: 'change the priority of its parent',
    code: `os.setPriority(process.ppid, 19) ?? 'changed'`,
    outcome: DENIED,
  },
  {
    attempt: 'change it by a named import',
    code: `import('node:os').then(({ setPriority }) => setPriority(process.ppid, 19) ?? 'changed')`,
    outcome: DENIED,
  },
  {
    attempt: 'become another user',
    code: `process.setuid(0) ?? 'changed'`,
    outcome: 'process.setuid is not a function',
  },
  {
    attempt: 'read variables of the service',
    code: `${hidden}('canary') ? 'found' : 'nothing found'`,
    outcome: 'nothing found',
  },
  {
    attempt: 'read the settings of its guards',
    code: `['gateway', 'ownPorts', 'allowPrivate'].some((name) => ${hidden}(name)) ? 'found' : 'nothing found'`,
    outcome: 'nothing found',
  },
];
