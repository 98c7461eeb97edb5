import { type Attack, DENIED } from './attack.ts';

/** Kinds of secrets that a search recognises, by their patterns. */
const KINDS = {
  'a refresh token': 'rt-[0-9a-f]{24}',
  'the secret of a client': 'cs-[0-9a-f]{24}',
  'its access token': 'at-[0-9a-f]{24}',
  'the planted canary': 'planted-[0-9a-f]{24}',
} as const;
const NOTHING = 'nothing found';
const OWN: keyof typeof KINDS = 'its access token';
const PLANTED: keyof typeof KINDS = 'the planted canary';

/**
 * A component's tools for the searches: `found` tells which secrets an object reaches, `heard` has texts that its
 * process parsed.
 */
export const TOOLS = `
  import fs from 'node:fs'; import { join } from 'node:path'; import { createRequire } from 'node:module';
  import { EventEmitter } from 'node:events'; import { Socket } from 'node:net';
  const require = createRequire(import.meta.url);
  const KINDS = ${JSON.stringify(KINDS)};
  const MAX_OBJECTS = 200_000;
  const found = (...roots) => {
    const [seen, left, texts] = [new Set(), [...roots], new Set()];
    const take = (value) => {
      if (typeof value === 'string') texts.add(value);
      else if (value !== null && (typeof value === 'object' || typeof value === 'function') && !seen.has(value)) { seen.add(value); left.push(value); }
    };
    while (left.length > 0) {
      if (seen.size > MAX_OBJECTS) return 'too many objects';
      const value = left.pop();
      if (typeof value === 'string') { texts.add(value); continue; }
      if (ArrayBuffer.isView(value)) { texts.add(Buffer.from(value.buffer).toString('latin1')); continue; }
      try { take(Object.getPrototypeOf(value)); } catch {}
      try { if (value instanceof Map || value instanceof Set) for (const item of [...value].flat()) take(item); } catch {}
      let names = [];
      try { names = Reflect.ownKeys(value); } catch {}
      for (const name of names) { take(name); try { take(value[name]); } catch {} }
    }
    const all = [...texts].join('\\n');
    const kinds = Object.entries(KINDS).flatMap(([kind, pattern]) => {
      const count = new Set(all.match(new RegExp(pattern, 'g'))).size;
      return count === 0 ? [] : [count === 1 ? kind : kind + ' (' + count + ')'];
    });
    return kinds.join(', ') || '${NOTHING}';
  };
  /** A complete search of the global object finds a canary below it; its outcome is without the canary. */
  const foundWithCanary = (...roots) => {
    globalThis.planted = { [Symbol('hidden')]: new Map([[{}, class { static value = 'planted-' + 'ab'.repeat(12); }]]) };
    const kinds = found(globalThis, ...roots).split(', ');
    if (!kinds.includes('${PLANTED}')) return 'no canary: ' + kinds.join(', ');
    return kinds.filter((kind) => kind !== '${PLANTED}').join(', ') || '${NOTHING}';
  };
  const filesIn = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [fs.readFileSync(path, 'latin1')];
  });
  const heard = [];
  const overhear = (object, name) => {
    const own = object[name];
    object[name] = function (...args) { const result = Reflect.apply(own, this, args); heard.push(args, result); return result; };
  };
  overhear(JSON, 'parse'); overhear(JSON, 'stringify'); overhear(Buffer.prototype, 'toString'); overhear(EventEmitter.prototype, 'emit'); overhear(Socket.prototype, 'push');
`;

/**
 * Attempts to find the refresh token of an account, or the secret of its OAuth client. The source has its account
 * renewed before.
 */
export const secrets: readonly Attack[] = [
  {
    attempt: 'search its account, with hidden properties and prototypes',
    code: `found(this.app, this.app.$auth)`,
    outcome: OWN,
  },
  { attempt: 'search everything that `this` reaches', code: `found(this)`, outcome: OWN },
  {
    attempt: 'search its account in a hook',
    code: `this.db.get('hook')`,
    outcome: OWN,
  },
  {
    attempt: 'overhear how its process reads requests, by patched builtins',
    code: `(found(this), found(heard))`,
    outcome: OWN,
  },
  {
    attempt: 'search its event and `$.service.db`',
    code: `found(event, this.db.get('hook'), this.db.get('nothing'))`,
    outcome: NOTHING,
  },
  {
    attempt: 'search everything that the global object, `process` and loaded modules reach',
    code: `foundWithCanary(process, require.cache, ...require('module').builtinModules.filter((name) => !name.startsWith('_')).map((name) => { try { return require(name); } catch { return undefined; } }).filter((each) => each))`,
    outcome: NOTHING,
  },
  {
    attempt: 'search its environment and its arguments',
    code: `found(process.env, process.argv, process.execArgv, process.config)`,
    outcome: NOTHING,
  },
  {
    attempt: 'search every file that it may read',
    code: `(() => { const files = [...filesIn(process.cwd()), ...filesIn('/tmp'), ...filesIn(join(process.cwd(), '../code'))]; return files.join().includes('Searches') ? found(...files) : 'not even its code is found'; })()`,
    outcome: NOTHING,
  },
  {
    attempt: 'search a snapshot of its heap',
    code: `require('v8').getHeapSnapshot() && 'read'`,
    outcome: DENIED,
  },
  {
    attempt: 'read the memory of the service',
    code: `fs.openSync('/proc/' + target.service + '/mem', 'r')`,
    outcome: DENIED,
  },
  {
    attempt: 'read the environment of the parent process',
    code: `fs.readFileSync('/proc/' + process.ppid + '/environ', 'latin1')`,
    outcome: DENIED,
  },
  {
    attempt: 'read the arguments of the parent process',
    code: `fs.readFileSync('/proc/' + process.ppid + '/cmdline', 'latin1')`,
    outcome: DENIED,
  },
  {
    attempt: 'list the data directory',
    code: `fs.readdirSync(target.dataDir).join()`,
    outcome: DENIED,
  },
  {
    attempt: 'read the keys that encrypt accounts',
    code: `fs.readFileSync(target.key, 'latin1')`,
    outcome: DENIED,
  },
  {
    attempt: 'read the journal of the table and the queues',
    code: `fs.readFileSync(target.journal, 'latin1')`,
    outcome: DENIED,
  },
  {
    attempt: "ask the service's API for its account",
    code: `fetch(target.api).then((response) => response.text())`,
    outcome: DENIED,
  },
];
