import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builderPool } from '../../../../functions/builder/builder-pool.ts';
import { directProcesses } from '../../../../shared/runtime/processes.ts';
import { forgetSince, keepCacheBelow } from '../../../../functions/builder/packages/package-cache.ts';
import type { BuildDone } from '../../../../shared/domain/component/build-result.ts';
import type { BuildResponse, BuildJob, BuildSettings } from '../../../../functions/builder/builder-settings.ts';
import { DEADLINE_MS } from '../../../support/until.ts';
import { type Workbench, workbench } from './workbench.ts';

const until = (claim: () => boolean) => vi.waitUntil(claim, { timeout: DEADLINE_MS, interval: 20 });

/** Processes of this machine that run a program, by its path. */
function running(program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(program);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('the process that builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'builder-process-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const settings: BuildSettings = {
    registry: 'http://127.0.0.1:9/',
    network: { allowPrivate: true, allowList: [] },
    hosts: {},
    proxy: {},
    modules: folder,
    cacheDirectory: folder,
    installedSetsDirectory: folder,
    workDirectory: folder,
  };
  const job = (): BuildJob => ({ settings, code: '' });
  const same = (response: BuildResponse) => Promise.resolve(response);

  function pool(script: string, { limitMs = 10_000, idleMs = 10_000, processes = directProcesses() } = {}) {
    const programFolder = mkdtempSync(join(folder, 'program-'));
    const program = join(programFolder, 'child.cjs');
    writeFileSync(program, script);
    const pool = builderPool({
      processes,
      program,
      programFolder,
      env: { ONLY: 'this' },
      network: { allowPrivate: true, allowList: [], exceptions: [] },
      limitMs,
      idleMs,
    });
    return { program, ...pool };
  }

  /** No process starts, so builds wait. */
  const waitingPool = () =>
    pool(serving(''), {
      limitMs: 60_000,
      processes: { ...directProcesses(), start: () => new Promise(() => undefined) },
    });

  /** A program that calls `job` for each request, with a function that sends the response. */
  const serving = (body: string) => `
    const fs = require('fs');
    const send = (response) => fs.writeSync(4, JSON.stringify(response) + '\\n');
    const requests = new (require('net').Socket)({ fd: 3, readable: true, writable: false });
    requests.on('data', () => { ${body} }).on('close', () => process.exit());`;
  const responses = (expression: string) => serving(`send({ kind: 'failed', message: String(${expression}) })`);

  test('has the environment it is given and nothing of ours', async () => {
    const { build } = pool(responses('JSON.stringify(process.env)'), { idleMs: 0 });
    const response = await build('u_1', job, same);
    const names = 'message' in response ? Object.keys(JSON.parse(response.message) as object) : [];
    expect(names.sort()).toEqual(['HOME', 'ONLY', 'TMPDIR']);
  });

  test('serves builds of one user again, and of no other', async () => {
    const { build, close } = pool(responses('process.pid'));
    const first = await build('u_1', job, same);
    expect(await build('u_1', job, same)).toEqual(first);
    expect(await build('u_2', job, same)).not.toEqual(first);
    close();
  });

  test('two builds of one user run concurrently, a third waits', async () => {
    const script = serving(`setTimeout(() => send({ kind: 'failed', message: String(process.pid) }), 100)`);
    const { build } = pool(script, { idleMs: 100 });
    const answered = await Promise.all([1, 2, 3].map(() => build('u_1', job, same)));
    expect(new Set(answered.map((response) => JSON.stringify(response))).size).toBe(2);
  });

  test('is ended when it idles, and leaves no directory', async () => {
    const { program, build } = pool(responses('process.cwd()'), { idleMs: 50 });
    const response = await build('u_1', job, same);
    const directory = 'message' in response ? response.message : '';
    await until(() => running(program).length === 0 && !existsSync(directory));
  });

  test('ends immediately when its pool is closed, and its directory is deleted', async () => {
    const { program, build, close } = pool(responses('process.cwd()'));
    const response = await build('u_1', job, same);
    const directory = 'message' in response ? response.message : '';
    expect(existsSync(directory)).toBe(true);
    close();
    await until(() => !existsSync(directory) && running(program).length === 0);
  });

  test('is ended with everything it started when it takes too long', async () => {
    const { program, build } = pool(
      serving(`require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', __filename])`),
      { limitMs: 500 },
    );
    expect(await build('u_1', job, same)).toEqual({
      kind: 'failed',
      message: 'the build took longer than 0.5 seconds',
    });
    await until(() => running(program).length === 0);
  });

  test('that refused an installation ends, because it may go on to install', async () => {
    const response = `{ kind: 'failed', message: String(process.pid), isLast: true }`;
    const { program, build } = pool(serving(`send(${response})`));
    const first = await build('u_1', job, same);
    expect(await build('u_1', job, same)).not.toEqual(first);
    await until(() => running(program).length === 0);
  });

  test('that cannot be started is answered for, and the next build gets another', async () => {
    let starts = 0;
    const direct = directProcesses();
    const { build } = pool(responses('1'), {
      processes: {
        ...direct,
        start: (options) => ((starts += 1) === 1 ? Promise.reject(new Error('full')) : direct.start(options)),
      },
    });
    expect(await build('u_1', job, same)).toEqual({ kind: 'not_started' });
    expect(await build('u_1', job, same)).toEqual({ kind: 'failed', message: '1' });
  });

  test('that dies is answered for, and the next build gets another', async () => {
    const { build } = pool(serving('process.exit(1)'));
    const message = 'the build process ended with exit code 1 before the build was done';
    expect(await build('u_1', job, same)).toEqual({ kind: 'failed', message });
    expect(await build('u_1', job, same)).toEqual({ kind: 'failed', message });
  });

  test.each([
    [
      `fs.writeSync(2, 'first\\nlast line of /root/x/y.js:3 \\u0007' + 'z'.repeat(500) + '\\n\\n'); process.exit(7)`,
      `with exit code 7 before the build was done: last line of …:3  ${'z'.repeat(500)}`.slice(0, 335),
    ],
    [`process.kill(process.pid, 'SIGKILL')`, 'by SIGKILL before the build was done'],
    [
      `fs.writeSync(2, 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\\n 1: 0xb8ced1 node::Abort() [node]\\n'); process.abort()`,
      'by SIGABRT before the build was done: FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    ],
    [
      `fs.writeSync(2, 'x'.repeat(1e6) + '\\nthe end'); process.exit(3)`,
      'with exit code 3 before the build was done: the end',
    ],
  ])('that ends early says how, and its last line: %#', async (body, said) => {
    const { build } = pool(serving(body));
    const response = await build('u_1', job, same);
    const message = 'message' in response ? response.message : '';
    expect(message.startsWith(`the build process ended ${said}`)).toBe(true);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('/root');
  });

  test('a hundred builds of one user wait, and a further one is answered immediately', async () => {
    const { build, close } = waitingPool();
    for (let n = 0; n < 102; n += 1) void Promise.allSettled([build('u_1', job, same)]);
    expect(await build('u_1', job, same)).toEqual({ kind: 'queue_full', isOwn: true });
    close();
  });

  test('while builds of one user and others fill three quarters of the queue, a user with less than a quarter may wait', async () => {
    const { build, close } = waitingPool();
    for (let n = 0; n < 102; n += 1) void Promise.allSettled([build('u_1', job, same)]);
    for (let n = 0; n < 52; n += 1) void Promise.allSettled([build('u_2', job, same)]);
    expect(await build('u_2', job, same)).toEqual({ kind: 'queue_full', isOwn: true });
    for (let n = 0; n < 3; n += 1) void Promise.allSettled([build('u_3', job, same)]);
    const nextTick = new Promise((resolve) => setImmediate(() => resolve('waits')));
    expect(await Promise.race([build('u_3', job, same), nextTick])).toBe('waits');
    close();
  });

  test('200 builds of all users wait, and a further one is answered immediately', async () => {
    const { build, close } = waitingPool();
    for (let user = 0; user < 10; user += 1)
      for (let n = 0; n < 22; n += 1) void Promise.allSettled([build(`u_${user}`, job, same)]);
    void Promise.allSettled([build('u_10', job, same), build('u_10', job, same)]);
    expect(await build('u_10', job, same)).toEqual({ kind: 'queue_full', isOwn: false });
    close();
  });
});

describe('the builder', () => {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await workbench({ environment: { ALLOW_PRIVATE_NETWORK: '1' } });
  });
  afterAll(() => bench.close());

  const code = (n: number) =>
    `import { join } from 'node:path'; import { axios } from '@pipedream/platform'; export default { name: join('x'), axios, n: ${n} }`;

  /**
   * The shortest times of builds that follow each other in every round, so that a busy moment of the machine is in all
   * of them.
   */
  async function fastest(rounds: number, builds: (round: number) => readonly (() => Promise<unknown>)[]) {
    const best: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const [n, build] of builds(round).entries()) {
        const started = performance.now();
        await build();
        best[n] = Math.min(best[n] ?? Infinity, performance.now() - started);
      }
    return best;
  }

  test('takes for another component, or the same again, less than a third of the time of the first', async () => {
    const [first = 0, ...further] = await fastest(5, (round) =>
      // A user's first build starts a process.
      [2 * round, 2 * round + 1, 2 * round + 1].map(
        (n) => () => bench.built({ code: code(n), ownerId: `u_fast${round}` }),
      ),
    );
    expect(Math.max(...further) / first).toBeLessThan(1 / 3);
  });

  describe('asked again for an address', () => {
    const files = {
      '/app/sources/a/a.mjs': `import b from '../../b.mjs'; import 'node:fs'; export default { b }`,
      '/app/b.mjs': 'export default 1',
    };
    const program = () => join(bench.asset.root, 'child.js');
    /** Each build gets a new user, because a process lives on for half a minute after its user's build. */
    let users = 0;
    async function built(files: Record<string, string>) {
      Object.assign(bench.site.files, files);
      users += 1;
      const before = running(program());
      const { result, bundle } = await bench.build({ url: url(), ownerId: `u_again${users}`, earlier });
      return { result, bundle, started: running(program()).filter((pid) => !before.includes(pid)).length };
    }
    const url = () => `${bench.site.base}/app/sources/a/a.mjs`;
    let earlier: BuildDone;
    beforeAll(async () => {
      Object.assign(bench.site.files, files);
      earlier = await bench.left({ url: url() });
    });

    test('starts no process and puts nothing when nothing there has changed', async () => {
      const { result, bundle, started } = await built(files);
      expect(result).toEqual({ ok: true, manifest: earlier.manifest, attempt: earlier.attempt });
      expect({ bundle, started }).toEqual({ bundle: undefined, started: 0 });
    });

    test.each([
      ['the entry has changed', { '/app/sources/a/a.mjs': 'export default { b: 2 }' }],
      ['a file that it imports has changed', { '/app/b.mjs': 'export default 3' }],
    ])('builds anew when %s', async (_, changed) => {
      const { result, bundle, started } = await built({ ...files, ...changed });
      expect(result.ok && result.manifest.contentHash).not.toBe(earlier.manifest.contentHash);
      expect(bundle).toBeDefined();
      expect(started).toBe(1);
    });

    test('fails with the reason when a file is gone', async () => {
      Object.assign(bench.site.files, files);
      delete bench.site.files['/app/b.mjs'];
      expect((await built({})).result).toMatchObject({ ok: false });
    });

    test('builds anew when another release built it', async () => {
      Object.assign(bench.site.files, files);
      const { result } = await bench.build({ url: url(), earlier: { ...earlier, builtBy: 'another' } });
      expect(result).toMatchObject({ ok: true });
      expect(result.ok && result.attempt).not.toBe(earlier.attempt);
    });
  });

  test('builds for several users concurrently', async () => {
    const built = await Promise.all(['u_1', 'u_2', 'u_3'].map((ownerId) => bench.built({ code: code(7), ownerId })));
    expect(new Set(built.map(({ bundleHash }) => bundleHash)).size).toBe(1);
  });

  test('its processes end by themselves when it is killed', async () => {
    const script = `require(${JSON.stringify(join(bench.asset.root, 'index.js'))}).handler({ ownerId: 'u_1', code: 'export default {}', uploads: { attempt: '${'0'.repeat(32)}', bundle: ${JSON.stringify(bench.site.base)} + '/b', manifest: ${JSON.stringify(bench.site.base)} + '/m' } }).then(() => console.log('built')); setInterval(() => {}, 1000)`;
    const env = { ...bench.env, LAMBDA_TASK_ROOT: bench.asset.root };
    const host = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const program = join(bench.asset.root, 'child.js');
    const before = running(program);
    await new Promise((resolve, reject) => {
      host.stdout.once('data', resolve);
      host.once('exit', (code) => reject(new Error(`It ended with ${code}.`)));
    });
    const children = () => running(program).filter((pid) => !before.includes(pid));
    expect(children()).toHaveLength(1);
    host.kill('SIGKILL');
    await until(() => children().length === 0);
  });
});

describe('the files of builds on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-directory-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the cache of packages is kept below its limit, what was used longest ago going first', async () => {
    const content = join(folder, 'cache', 'content-v2', 'sha512', 'aa');
    mkdirSync(content, { recursive: true });
    for (const [n, name] of ['old', 'middle', 'new'].entries()) {
      writeFileSync(join(content, name), Buffer.alloc(1_000));
      utimesSync(join(content, name), 1_000 + n, 1_000 + n);
    }
    await keepCacheBelow(join(folder, 'cache'), 3_000);
    expect(readdirSync(content)).toHaveLength(3);
    await keepCacheBelow(join(folder, 'cache'), 2_900);
    expect(readdirSync(content).sort()).toEqual(['middle', 'new']);
  });

  test('files that the cache got since a time are removed', async () => {
    const content = join(folder, 'refused', 'content-v2');
    mkdirSync(content, { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(content, name), 'x');
    utimesSync(join(content, 'old'), 1_000, 1_000);
    await forgetSince(join(folder, 'refused'), 2_000_000);
    expect(readdirSync(content)).toEqual(['old']);
  });
});
