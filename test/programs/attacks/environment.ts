import { type Attack, REACHED } from './attack.ts';

/**
 * Attempts to change the environment of the C library, which opens files that variables name, and to give the engine
 * code.
 */

/**
 * The C library and Node read these files at a lookup of a name, a conversion, a date or a handshake, beside the
 * permission model.
 */
const VARIABLES = [
  'RESOLV_HOST_CONF',
  'HOSTALIASES',
  'LOCALDOMAIN',
  'RES_OPTIONS',
  'GCONV_PATH',
  'LOCPATH',
  'NLSPATH',
  'MALLOC_TRACE',
  'TZ',
  'TZDIR',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'OPENSSL_ENGINES',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'ICU_DATA',
];

/** Runs a statement, then asks Node natively for the home directory, which is a variable of the C library. */
const changes = (statement: string): string =>
  `(async () => { ${statement}; return os.homedir() === target.canary ? '${REACHED}' : 'no effect'; })()`;

/** Bytecode of other code of the same length, which is all that V8 compares. */
const cached = (use: string): string =>
  `(async () => {
    const vm = require('vm');
    const cachedData = new vm.Script("'reached'").createCachedData();
    const text = "'dropped'";
    const outcome = ${use};
    return outcome;
  })()`;

/** The same for the body of a function. */
const cachedFunction = (use: string): string =>
  `(() => {
    const vm = require('vm');
    const { cachedData } = vm.compileFunction("return 'reached'", [], { produceCachedData: true });
    const text = "return 'dropped'";
    return (${use})();
  })()`;

export const environment: readonly Attack[] = [
  {
    attempt: 'make the C library quote a file on descriptor 2 (`RESOLV_HOST_CONF`)',
    code: `(async () => {
      process.env.RESOLV_HOST_CONF = target.canary;
      fs.closeSync(2);
      const own = fs.openSync('/tmp/errors', 'w+');
      await require('dns').promises.lookup('localhost');
      return own === 2 && fs.readFileSync('/tmp/errors', 'utf8').includes('canary') ? '${REACHED}' : 'no effect';
    })()`,
    outcome: 'no effect',
  },
  {
    attempt: 'set a variable of the C library',
    code: changes(`process.env.HOME = target.canary`),
    outcome: 'no effect',
  },
  {
    attempt: 'set every variable that names files',
    code: changes(
      `for (const name of [...${JSON.stringify(VARIABLES)}, 'HOME']) process.env[name] = target.canary; await require('dns').promises.lookup('localhost'); new Date().toString(); require('tls').createSecureContext(); new TextDecoder('euc-jp').decode(new Uint8Array([164, 162]))`,
    ),
    outcome: 'no effect',
  },
  {
    attempt: 'move the time zone by `TZ`',
    code: `(process.env.TZ = 'Asia/Tokyo', new Date(0).getTimezoneOffset() === -540 ? '${REACHED}' : 'no effect')`,
    outcome: 'no effect',
  },
  {
    attempt: 'set it by `Reflect`',
    code: changes(`Reflect.set(process.env, 'HOME', target.canary)`),
    outcome: 'no effect',
  },
  {
    attempt: 'define it as a property',
    code: changes(
      `Object.defineProperty(process.env, 'HOME', { value: target.canary, writable: true, enumerable: true, configurable: true })`,
    ),
    outcome: 'no effect',
  },
  {
    attempt: 'set it through the required module `process`',
    code: changes(`require('process').env.HOME = target.canary`),
    outcome: 'no effect',
  },
  {
    attempt: 'set it by a named import',
    code: changes(`(await import('node:process')).env.HOME = target.canary`),
    outcome: 'no effect',
  },
  {
    attempt: 'set it through `process.getBuiltinModule`',
    code: changes(`(process.getBuiltinModule?.('node:process') ?? require('node:process')).env.HOME = target.canary`),
    outcome: 'no effect',
  },
  {
    attempt: "make another environment by the constructor of Node's own",
    code: changes(
      `for (let object = process.env; object; object = Object.getPrototypeOf(object)) try { new object.constructor().HOME = target.canary; } catch {}`,
    ),
    outcome: 'no effect',
  },
  {
    attempt: "find Node's own environment in a replaced prototype",
    code: changes(
      `let heard; const { hasOwnProperty } = Object.prototype; for (const name of ['HOME', 'TMPDIR', 'NODE_DEBUG', 'TERM', 'NO_COLOR', 'NODE_TLS_REJECT_UNAUTHORIZED']) Object.defineProperty(Object.prototype, name, { configurable: true, get() { if (this !== process.env) heard ??= this; }, set() {} }); os.tmpdir(); require('tls').createSecureContext(); require('util').inspect(process); delete Object.prototype.HOME; if (heard) heard.HOME = target.canary`,
    ),
    outcome: 'no effect',
  },
  {
    attempt: 'set it in a new context',
    code: changes(`require('vm').runInNewContext('env.HOME = path', { env: process.env, path: target.canary })`),
    outcome: 'no effect',
  },
  {
    attempt: 'set it from a file (`process.loadEnvFile`)',
    code: changes(
      `fs.writeFileSync('/tmp/.env', 'HOME=' + target.canary); const found = await import('node:process'); for (const load of [process.loadEnvFile, found.loadEnvFile]) load?.call(process, process.cwd() + '/.env')`,
    ),
    outcome: 'no effect',
  },
  {
    attempt: 'assign what `util.parseEnv` read',
    code: changes(
      `Object.assign(process.env, require('util').parseEnv?.('HOME=' + target.canary) ?? { HOME: target.canary })`,
    ),
    outcome: 'no effect',
  },
  {
    attempt: 'load a library as an engine of OpenSSL',
    code: `(fs.writeFileSync('/tmp/engine.so', ''), require('crypto').setEngine(process.cwd() + '/engine.so') ?? 'loaded')`,
    outcome: 'ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED',
  },
];

export const codeCaches: readonly Attack[] = [
  {
    attempt: 'run bytecode of its own by `vm.Script`',
    code: cached(`new vm.Script(text, { cachedData }).runInThisContext()`),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by a named import',
    code: cached(`await import('node:vm').then(({ Script }) => new Script(text, { cachedData }).runInThisContext())`),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by the functions of `vm`',
    code: cached(
      `[vm.runInThisContext(text, { cachedData }), vm.runInNewContext(text, {}, { cachedData }), vm.runInContext(text, vm.createContext(), { cachedData })].find((each) => each !== 'dropped') ?? 'dropped'`,
    ),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by the native class under `vm.Script`',
    code: cached(
      `[Object.getPrototypeOf(vm.Script), Object.getPrototypeOf(vm.Script.prototype).constructor].map((Native) => { const made = Reflect.construct(Native, [text, 'x', 0, 0, cachedData, false, undefined, Symbol()], vm.Script); return made.runInThisContext(); }).find((each) => each !== 'dropped') ?? 'dropped'`,
    ),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by a class of its own, with patched views',
    code: cached(
      `(() => { const { isView } = ArrayBuffer; ArrayBuffer.isView = () => false; try { return new (class extends vm.Script {})(text, { cachedData: new DataView(cachedData.buffer, cachedData.byteOffset, cachedData.length) }).runInThisContext(); } finally { ArrayBuffer.isView = isView; } })()`,
    ),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by `vm.compileFunction`',
    code: cachedFunction(`vm.compileFunction(text, [], { cachedData })`),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by a polluted prototype',
    code: cachedFunction(
      `(() => { Object.prototype.cachedData = cachedData; try { return vm.compileFunction(text, [], {}); } finally { delete Object.prototype.cachedData; } })()`,
    ),
    outcome: 'dropped',
  },
  {
    attempt: 'run it by options that are a function',
    code: cachedFunction(`vm.compileFunction(text, [], Object.assign(() => {}, { cachedData }))`),
    outcome: 'dropped',
  },
  {
    attempt: 'run it as a module (`vm.SourceTextModule`)',
    code: `typeof require('vm').SourceTextModule`,
    outcome: 'undefined',
  },
  {
    attempt: 'read it from a directory of its own (`module.enableCompileCache`)',
    code: `(() => { const { enableCompileCache, getCompileCacheDir } = require('module'); enableCompileCache?.(process.cwd() + '/cache'); return getCompileCacheDir?.() ?? 'no effect'; })()`,
    outcome: 'no effect',
  },
  {
    attempt: 'build a snapshot of the engine',
    code: `require('v8').startupSnapshot.addSerializeCallback(() => {}) ?? 'added'`,
    outcome: "Cannot read properties of undefined (reading 'addSerializeCallback')",
  },
  {
    attempt: "read assets of Node's own program",
    code: `require('node:sea').getRawAsset('x') && 'read'`,
    outcome: 'ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION',
  },
  {
    attempt: 'revive compiled code by `v8.deserialize`',
    code: `(() => { const { serialize, deserialize } = require('v8'); const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); try { return deserialize(serialize(module)) instanceof WebAssembly.Module ? 'revived' : 'refused'; } catch { return 'refused'; } })()`,
    outcome: 'refused',
  },
  {
    attempt: 'call functions of the engine by their internal names',
    code: `new (require('vm').Script)('%GetOptimizationStatus(() => {})').runInThisContext()`,
    outcome: "Unexpected token '%'",
  },
];
