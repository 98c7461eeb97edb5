import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Collector, describeJob, hook, run, Runner, source } from './harness.ts';

let runner: Runner;
beforeAll(async () => {
  runner = await Runner.start();
});
afterAll(() => runner.close());

describe('a run', () => {
  test('gets the event it was triggered with and emits', async () => {
    const code = source(`run(event) { this.$emit({ got: event }, { id: 7, summary: 'Seven', ts: 1700000000 }); }`);
    const response = await runner.run(code, { jobs: [run({ n: 1 })] });

    expect(response.of('emit')).toMatchObject([
      { json: '{"got":{"n":1}}', meta: { id: 7, summary: 'Seven', ts: 1_700_000_000_000 } },
    ]);
    expect(response.ends).toEqual(['ok']);
  });

  test('has a heap of its limit, and the flags with which V8 takes built-in modules in compiled form', async () => {
    const code = source(
      `run() { this.$emit([v8.cachedDataVersionTag(), v8.getHeapStatistics().heap_size_limit / 2 ** 20]); }`,
      `import v8 from 'node:v8';`,
    );
    const { events } = await runner.run(code, { limits: { memoryMb: 100 } });

    const [[tag, heapMb] = []] = z.array(z.array(z.number())).parse(events);
    // The workers of the tests have flags of their own.
    const plain = execFileSync(process.execPath, ['-p', 'v8.cachedDataVersionTag()'], { env: {}, encoding: 'utf8' });
    expect(tag).toBe(Number(plain));
    // V8 adds the semi-spaces of young objects. Without the limit it would be gigabytes.
    expect(heapMb).toBeGreaterThanOrEqual(100);
    expect(heapMb).toBeLessThan(400);
  });

  test('reads and writes $.service.db synchronously, and the next job of the request sees it', async () => {
    const code = source(`run() { this.db.set('n', (this.db.get('n') ?? 0) + 1); this.$emit(this.db.get('n')); }`);
    const response = await runner.run(code, { db: '{"n":41,"other":[1]}', jobs: [run(1), run(2)] });

    expect(response.events).toEqual([42, 43]);
    expect(response.db).toEqual({ n: 43, other: [1] });
  });

  test('is one of more than ten of its request: the jobs follow each other in one process, with one db', async () => {
    const code = source(
      `run() { this.db.set('n', (this.db.get('n') ?? 0) + 1); this.$emit([process.pid, this.db.get('n')]); }`,
    );
    const response = await runner.run(code, { jobs: Array.from({ length: 25 }, (_, n) => run(n)) });

    const events = z.array(z.tuple([z.number(), z.number()])).parse(response.events);
    expect(new Set(events.map(([pid]) => pid)).size).toBe(1);
    expect(events.map(([, n]) => n)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
    expect(response.ends).toEqual(Array.from({ length: 25 }, () => 'ok'));
  });

  test('does not start when its request has written what ten runs may emit: its caller holds all of it', async () => {
    const code = source(`run() { for (let n = 0; n < 16; n += 1) this.$emit('x'.repeat(1024 * 1024 - 2)); }`);
    const jobs = Array.from({ length: 25 }, (_, n) => run(n));
    let ends = 0;
    const output = new Collector(() => undefined);
    output.write = (text) => {
      ends += String(text).split('"k":"end"').length - 1;
      return true;
    };
    await runner.host.run(runner.request(code, { jobs, limits: { timeoutMs: 60_000 } }), output);
    expect(ends).toBe(10);
  });

  test('does not store a db value that was changed without a set', async () => {
    const code = source(`run() { this.db.get('list').push(2); this.$emit(this.db.get('list')); }`);
    const response = await runner.run(code, { db: '{"list":[1]}' });

    expect(response.events).toEqual([[1]]);
    expect(response.of('db')).toEqual([]);
  });

  test('keeps key order, unicode and keys such as __proto__ of an event', async () => {
    const json = '{"z":1,"a":"\u2028\u{1F600}","__proto__":{"x":1}}';
    const response = await runner.run(source(`run(event) { this.$emit(event); }`), {
      jobs: [{ kind: 'run', id: 'order', event: json }],
    });

    expect(response.of('emit').map((line) => line.json)).toEqual([json]);
  });

  test('logs console output, formatted, and a thrown error as a line', async () => {
    const code = source(`run() { console.log('a %s', 1, { b: 2 }); console.error('no'); process.stdout.write('raw\\n');
      throw Object.assign(new Error('broken'), { code: 'E_BROKEN' }); }`);
    const response = await runner.run(code);

    expect(response.of('log').map(({ level, msg }) => [level, msg])).toEqual([
      ['console.log', 'a 1 { b: 2 }'],
      ['console.error', 'no'],
      ['console.log', 'raw'],
      ['error', 'broken'],
    ]);
    expect(response.of('log').at(-1)?.err).toMatchObject({ name: 'Error', message: 'broken' });
    expect(response.of('end')[0]?.error).toMatchObject({
      code: 'E_BROKEN',
      name: 'Error',
      message: 'broken',
    });
  });

  test('may throw a string', async () => {
    const response = await runner.run(source(`run() { throw 'just text'; }`));

    expect(response.of('end')[0]?.error).toMatchObject({ message: 'just text' });
  });

  test.each([
    ['an unhandled rejection', `async run() { Promise.reject(new Error('lost')); await new Promise(() => {}); }`],
    [
      'an error in a timer',
      `async run() { setTimeout(() => { throw new Error('lost'); }); await new Promise(() => {}); }`,
    ],
  ])('is ended by %s, and the next job runs', async (_, body) => {
    const response = await runner.run(source(body.replace('{', '{ if (arguments[0] === 2) return;')), {
      jobs: [run(1), run(2)],
    });

    expect(response.of('end')[0]?.error).toMatchObject({ message: 'lost' });
    expect(response.ends).toEqual(['Error', 'ok']);
  });

  test('emits what streams and ticks emit that it did not wait for', async () => {
    const code = source(`async run() {
      const { Readable } = await import('node:stream');
      Readable.from([1, 2]).on('data', (n) => this.$emit(n));
      process.nextTick(() => this.$emit('tick'));
      setImmediate(() => this.$emit('soon'));
      [3, 4].forEach(async (n) => { await null; this.$emit(n); });
    }`);
    expect((await runner.run(code)).events).toHaveLength(6);
  });

  test('is a method too, for hooks that poll once', async () => {
    const code = source(
      `hooks: { async deploy() { await this.run('at once'); } }, run(event) { this.$emit([event, Object.keys(this).includes('run')]); }`,
    );
    const response = await runner.run(code, { jobs: [hook('deploy')] });
    expect(response.events).toEqual([['at once', false]]);
  });

  test('that left a timer behind writes nothing in the next job', async () => {
    const code = source(`async run(event) {
      if (event === 2) { await new Promise((resolve) => (globalThis.late = resolve)); this.$emit('second'); return; }
      const timer = setInterval(() => {
        if (!globalThis.late) return;
        clearInterval(timer);
        this.$emit('late'); this.db.set('late', 1); console.log('late');
        globalThis.late();
        throw new Error('late');
      }, 5);
    }`);
    const response = await runner.run(code, { jobs: [run(1), run(2)] });

    expect(response.events).toEqual(['second']);
    expect(response.logs).toEqual([]);
    expect(response.ends).toEqual(['ok', 'ok']);
  });

  test('finds its own id in the environment, and almost nothing else', async () => {
    const response = await runner.run(source(`run() { this.$emit({ ...process.env }); }`), {
      sourceId: 'dc_mine',
    });
    const [environment] = response.events;

    expect(environment).toMatchObject({ PD_COMPONENT: 'dc_mine' });
    expect(environment).not.toHaveProperty('PATH');
  });

  test('finds a file in /tmp again in its next run', async () => {
    const code = source(
      `async run() { await writeFile('/tmp/a b.txt', 'text'); mkdirSync('/tmp/x/y', { recursive: true });
        fs.renameSync('/tmp/a b.txt', '/tmp/x/y/z'); this.$emit([readFileSync('/tmp/x/y/z', 'utf8'), fs.readdirSync('/tmp'), fs.existsSync('/tmp/a b.txt')]); }`,
      `import fs, { mkdirSync, readFileSync } from 'node:fs'; import { writeFile } from 'fs/promises';`,
    );

    expect((await runner.run(code)).events).toEqual([['text', ['x'], false]]);
    expect((await runner.run(code)).events).toEqual([['text', ['x'], false]]);
  });

  test('of a component without `run` emits the event of the trigger', async () => {
    const code = `export default { name: 'Bare', props: { timer: '$.interface.timer' } };`;

    expect((await runner.run(code, { jobs: [run({ timestamp: 1 })] })).events).toEqual([{ timestamp: 1 }]);
  });

  test('answers HTTP with what it responds, once', async () => {
    const code = `export default { name: 'Web', props: { web: { type: '$.interface.http', customResponse: true } },
      run() {
        this.web.respond({ statusCode: '201', headers: { 'X-A': 1, Connection: 'close', 'bad name': 'x' }, body: { at: this.web.endpoint } });
        this.web.respond({ status: 500 });
      } };`;
    const response = await runner.run(code, { props: { web: { endpoint: 'http://here/1' } } });

    expect(response.of('respond')).toMatchObject([
      {
        status: 201,
        headers: { 'x-a': '1', 'content-type': 'application/json' },
        body: '{"at":"http://here/1"}',
        base64: false,
      },
    ]);
    expect(response.of('respond')[0]?.headers).not.toHaveProperty('connection');
    expect(response.logs).toHaveLength(3);
  });
});

describe('hooks', () => {
  test('are called with the same `this` as run, and may emit', async () => {
    const code = source(`methods: { say(what) { this.$emit(what); } },
      hooks: { async deploy() { this.say('deployed'); }, activate() { this.db.set('on', true); } }`);
    const response = await runner.run(code, { jobs: [hook('deploy'), hook('activate'), hook('deactivate')] });

    expect(response.events).toEqual(['deployed']);
    expect(response.db).toEqual({ on: true });
    expect(response.ends).toEqual(['ok', 'ok', 'ok']);
  });

  test('may be members of the component, as in old components', async () => {
    const code = source(`async activate() { this.$emit('on'); }, async deactivate() { this.$emit('off'); }, run() {}`);
    const response = await runner.run(code, { jobs: [hook('activate'), hook('deactivate')] });

    expect(response.events).toEqual(['on', 'off']);
  });
});

describe('describing', () => {
  test('returns the declarations of the component in the order of the code', async () => {
    const code = `
      const app = { type: 'app', app: 'some_app', propDefinitions: { list: { type: 'string', label: 'List', options() {} } } };
      export default { name: 'Bar', key: 'bar', version: '1.2.3', dedupe: 'unique',
        props: { app, db: '$.service.db', timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
          list: { propDefinition: [app, 'list'], description: 'Which' } },
        hooks: { activate() {} }, run() {} };`;
    const response = await runner.run(code, { jobs: [describeJob()] });

    expect(response.of('described')[0]?.description).toEqual({
      name: 'Bar',
      key: 'bar',
      version: '1.2.3',
      dedupe: 'unique',
      hasRun: true,
      hooks: ['activate'],
      hasAdditionalProps: false,
      props: [
        { name: 'app', type: 'app', app: 'some_app' },
        { name: 'db', type: '$.service.db' },
        { name: 'timer', type: '$.interface.timer', default: { intervalSeconds: 900 } },
        { name: 'list', type: 'string', label: 'List', description: 'Which', remoteOptions: true },
      ],
    });
    expect(response.ends).toEqual(['ok']);
  });

  test.each([
    ['no default export', 'export const x = 1;', 'no default export'],
    ['no name', 'export default { run() {} };', 'no `name`'],
    ['another type', `export default { name: 'A', type: 'action', run() {} };`, 'of type "action"'],
    ['an error at load', `throw new TypeError('at load');`, 'TypeError: at load'],
    ['a syntax error', 'export default {', 'SyntaxError'],
  ])('refuses a component with %s, with the reason', async (_, code, message) => {
    const response = await runner.run(code, { jobs: [describeJob()] });

    expect(response.of('described')).toEqual([]);
    const { code: errorCode, name, message: text } = response.of('end')[0]?.error ?? expect.fail();
    expect(errorCode).toBe('load_failed');
    expect(`${name}: ${text}`).toContain(message);
  });
});

describe('the host', () => {
  test('starts no job after the given time, and writes no line for it', async () => {
    const code = source(
      `async run(until) { while (Date.now() < until) await new Promise(setImmediate); this.$emit('ran'); }`,
    );
    // The process is there already, so that the first job starts at once.
    await runner.run(code);
    const startBefore = Date.now() + 4000;
    const jobs = [run(0), run(startBefore + 5), run(0)];
    const response = await runner.run(code, { startBefore, jobs });

    expect(response.ends).toEqual(['ok', 'ok']);
    expect(response.lines.map(({ job }) => job)).not.toContain(jobs[2]?.id);
    expect((await runner.run(code, { startBefore: Date.now() - 1 })).lines).toEqual([]);
    expect((await runner.run(code)).ends).toEqual(['ok']);
  });

  test('starts no job late in a new process, and does not believe a component that it is late', async () => {
    const hangs = source(`async run() { await new Promise(() => {}); }`);
    const response = await runner.run(hangs, {
      limits: { timeoutMs: 7000 },
      startBefore: Date.now() + 6000,
      jobs: [run(1), run(2)],
    });
    const lies = source(`run() { fs.writeSync(4, '{"k":"stopped"}\\n'); }`, `import fs from 'node:fs';`);
    const honest = await runner.run(lies, { startBefore: Date.now() + 60_000, jobs: [run(1), run(2)] });

    expect(response.ends).toEqual(['timeout']);
    expect(honest.ends).toEqual(['ok', 'ok']);
  });

  test('fetches a bundle once', async () => {
    const code = source('run() {}', '// fetched once');
    await Promise.all([runner.run(code), runner.run(code)]);
    await runner.run(code, { processKey: 'dc_another' });

    const { url } = runner.request(code).bundle;
    expect(runner.fetched.filter((path) => url.endsWith(path))).toHaveLength(1);
  });

  test('keeps the process of a source warm, and never shares it with another source', async () => {
    const code = source(
      `run() { globalThis.seen = (globalThis.seen ?? 0) + 1; this.$emit([process.pid, globalThis.seen]); }`,
    );
    const [[first], [again], [other]] = [
      (await runner.run(code)).events,
      (await runner.run(code)).events,
      (await runner.run(code, { processKey: 'dc_other' })).events,
    ];

    expect(again).toEqual([Array.isArray(first) ? first[0] : undefined, 2]);
    expect(other).toEqual([expect.not.toBeOneOf(Array.isArray(first) ? [first[0]] : []), 1]);
  });

  test('serves two requests of one source at the same time, each in its own process', async () => {
    const code = source(
      `async run() { await new Promise((resolve) => setTimeout(resolve, 200)); this.$emit(process.pid); }`,
    );
    const responses = await Promise.all([runner.run(code), runner.run(code)]);

    expect(new Set(responses.flatMap(({ events }) => events)).size).toBe(2);
  });

  test('names a job that got no process; it was not started, and the following jobs wait', async () => {
    const request = runner.request(source('run() {}'), { jobs: [run({}), run({})] });
    const missing = {
      ...request,
      bundle: { hash: 'gone', url: request.bundle.url.replace(/[0-9a-f]+$/, 'gone') },
    };

    const message = 'The bundle gone cannot be fetched: HTTP status 404';
    expect((await runner.send(missing)).lines).toEqual([{ k: 'unready', job: request.jobs[0]?.id, message }]);
    expect((await runner.send(request)).ends).toEqual(['ok', 'ok']);
  });
});
