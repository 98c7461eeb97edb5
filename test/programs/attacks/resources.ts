import type { Attack } from './attack.ts';

/** A run that takes more than its share. */
export interface ResourceAttack {
  attempt: string;
  /** Body of `run`, after an emit. `fs`, `net`, `dgram` and `target` are there. */
  body: string;
  /** The end of the run. */
  outcome: Attack['outcome'];
}

/** Attempts that use up the time, the memory, the disk or the output of a run, and that end its process. */
export const runEnds: readonly (ResourceAttack & { outcome: string })[] = [
  { attempt: 'loop for ever', body: 'while (true);', outcome: 'timeout' },
  { attempt: 'never return', body: 'return new Promise(() => {});', outcome: 'timeout' },
  {
    attempt: 'flood the microtasks',
    body: 'const again = () => Promise.resolve().then(again); return again();',
    outcome: 'timeout',
  },
  {
    attempt: 'fill the heap',
    body: 'const a = []; for (;;) a.push(new Array(1e5).fill(a));',
    outcome: 'out_of_memory',
  },
  {
    attempt: 'fill memory with buffers',
    body: 'const a = []; for (;;) a.push(Buffer.alloc(1e6, 1));',
    outcome: 'out_of_memory',
  },
  { attempt: 'exit', body: 'process.exit(3);', outcome: 'crashed' },
  { attempt: 'abort', body: 'process.abort();', outcome: 'crashed' },
  { attempt: 'exit behind the back of Node', body: 'process.reallyExit(77);', outcome: 'crashed' },
  {
    attempt: 'end itself by a signal',
    body: `process.kill(process.pid, 'SIGKILL'); while (true);`,
    outcome: 'crashed',
  },
  { attempt: 'close the pipe to its host', body: `fs.closeSync(4); this.$emit(2);`, outcome: 'crashed' },
  {
    attempt: 'fill the disk',
    body: `const b = Buffer.alloc(1e7); for (let i = 0; ; i++) fs.writeFileSync('/tmp/' + (i % 200), b);`,
    outcome: 'ENOSPC',
  },
  {
    attempt: 'make more than 10,000 files',
    body: `for (let i = 0; ; i++) fs.writeFileSync('/tmp/' + i, '');`,
    outcome: 'ENOSPC',
  },
];

/** Attempts that flood the host or the network. */
export const floods: readonly ResourceAttack[] = [
  { attempt: 'log for ever', body: 'for (let i = 0; ; i++) console.log(i);', outcome: 'timeout' },
  {
    attempt: 'write to the pipe to its host for ever',
    body: `const b = Buffer.alloc(1e6, 'x'); for (;;) fs.writeSync(4, b);`,
    outcome: 'crashed',
  },
  {
    attempt: 'write 2,000 lines of other jobs to that pipe',
    body: `for (let i = 0; i < 2000; i++) fs.writeSync(4, '{"k":"emit","job":"another","json":"1","meta":{}}\\n'); return new Promise(() => {});`,
    outcome: 'crashed',
  },
  {
    attempt: 'send UDP for ever',
    body: `const socket = dgram.createSocket('udp4'); for (;;) await new Promise((ok) => socket.send('x', target.udpPort, '127.0.0.1', ok));`,
    outcome: 'timeout',
  },
  {
    attempt: 'open 600 connections',
    body: `const results = await Promise.all(Array.from({ length: 600 }, () => new Promise((ok) => net.connect(target.serverPort, '127.0.0.1').on('connect', () => ok('open')).on('error', ({ code }) => ok(code))))); throw Object.assign(new Error('x'), { code: results.filter((one) => one === 'open').length + ' open' });`,
    outcome: { sandbox: '512 open', user: '600 open', process: '600 open' },
  },
];

/** Attempts to go on after the run. The process ends before the next run. */
export const leftovers: readonly ResourceAttack[] = [
  {
    attempt: 'loop after the run',
    body: 'setTimeout(() => { while (true); }, 1_000);',
    outcome: 'ended after its run',
  },
  {
    attempt: 'fill the memory after the run',
    body: `globalThis.kept = []; setInterval(() => kept.push(Buffer.alloc(2e7, 1)), 20);`,
    outcome: 'ended after its run',
  },
  {
    attempt: 'make files after the run',
    body: `let n = 0; setInterval(() => { for (let i = 0; i < 200; i++) fs.writeFileSync('/tmp/' + (n += 1), ''); }, 20);`,
    outcome: 'ended after its run',
  },
  {
    attempt: 'listen after the run',
    body: `await new Promise((ok) => net.createServer().listen(0, '127.0.0.1', ok));`,
    outcome: 'ended after its run',
  },
];
