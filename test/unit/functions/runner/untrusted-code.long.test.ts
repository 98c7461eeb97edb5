import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runEnds } from '../../../programs/attacks/resources.ts';
import { lineText } from '../../../../shared/domain/run/line-text.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { type RunResponse, describeJob, run, Runner, source } from './harness.ts';

/** Component code that misbehaves harms only itself: while it runs, another source is served. */

/** Other tests of `npm run test:long` make all of them at every level of isolation. */
const oneOfEachKind = runEnds.filter(
  ({ outcome: response }, index) => runEnds.findIndex((each) => each.outcome === response) === index,
);

let runner: Runner;
const neighbour = source(`run(event) { this.$emit(event); }`, '// the neighbour');
beforeAll(async () => {
  runner = await Runner.start();
  // The start of its process would be a part of the time in which it must be served.
  await runner.run(neighbour);
});
afterAll(() => runner.close());

/**
 * Runs a well-behaved source again and again until the response is complete: it is served before one that exceeds its
 * time limit ends.
 */
async function withNeighbour(response: Promise<RunResponse>): Promise<RunResponse> {
  let isOver = false;
  let servedMeanwhile = 0;
  const ended = response.finally(() => (isOver = true));
  do {
    expect((await runner.run(neighbour, { jobs: [run('hello')] })).events).toEqual(['hello']);
    if (!isOver) servedMeanwhile += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isOver);
  if ((await ended).ends.includes('timeout')) expect(servedMeanwhile).toBeGreaterThan(0);
  return ended;
}

const untrusted = (body: string, before = '') => source(`run() { ${body} }`, before);

describe('a component that', () => {
  test.each<[string, string, string]>([
    ['loops for ever at load', 'while (true);', 'timeout'],
    ['never finishes loading', 'await new Promise(() => {}); export default {};', 'timeout'],
    ['exits at load', 'process.exit(0); export default { name: "x" };', 'crashed'],
    [
      'fills the heap at load',
      'const a = []; for (;;) a.push(new Array(1e5).fill(a)); export default {};',
      'out_of_memory',
    ],
  ])('%s is not described, and the error has the reason', async (_, code, error) => {
    const limits = { timeoutMs: error === 'timeout' ? 1500 : 5000, memoryMb: 96 };
    const response = await withNeighbour(runner.run(code, { limits, jobs: [describeJob()] }));

    expect(response.ends).toEqual([error]);
    expect(response.of('described')).toEqual([]);
  });

  test('takes five seconds to load is ended, whatever time its runs may take', async () => {
    const before = performance.now();
    const response = await runner.run('while (true);', {
      limits: { timeoutMs: 60_000 },
      jobs: [describeJob()],
    });

    expect(response.ends).toEqual(['timeout']);
    expect(performance.now() - before, 'sooner than its runs').toBeLessThan(60_000);
  });

  test.each(repetitions(oneOfEachKind, runEnds))(
    'tries to $attempt ends with a clear error; its earlier emits and db are kept, and the next job runs',
    async ({ body, outcome: error }) => {
      const code = source(
        `run(event) { if (event === 'next') { this.$emit(this.db.get('before')); return; }
        this.$emit('before'); this.db.set('before', 'kept'); ${body} }`,
        `import fs from 'node:fs';`,
      );
      const limits = {
        timeoutMs: error === 'timeout' ? 1500 : 80_000,
        memoryMb: error === 'timeout' ? 512 : 96,
      };
      const response = await withNeighbour(runner.run(code, { limits, jobs: [run('untrusted'), run('next')] }));

      expect(response.ends).toEqual([error, 'ok']);
      expect(response.events).toEqual(['before', 'kept']);
      expect(response.of('end')[0]?.error?.message).not.toBe('');
    },
  );

  test('emits values that are not JSON gets an error for each, and the run continues', async () => {
    const code = source(`run() {
      const cycle = {}; cycle.self = cycle;
      for (const value of [undefined, () => {}, Symbol('s'), cycle, 1n, { deep: [1n] }, { toJSON() { throw new Error('no'); } }]) this.$emit(value);
      this.$emit({ fine: true });
    }`);
    const response = await runner.run(code);

    expect(response.of('error').map(({ error }) => error.code)).toEqual(Array(7).fill('event_not_serialisable'));
    expect(response.events).toEqual([{ fine: true }]);
    expect(response.ends).toEqual(['ok']);
  });

  test('emits too large an event, or on a reserved stream, gets an error, and the run continues', async () => {
    const code = source(`run() {
      this.$emit('x'.repeat(1024 * 1024 - 2)); this.$emit('x'.repeat(1024 * 1024 - 1));
      this.$emit(1, { name: '$errors' }); this.$emit(1, { name: 'a\\nb' }); this.$emit('fine');
    }`);
    const response = await withNeighbour(runner.run(code));

    expect(response.of('error').map(({ error }) => error.code)).toEqual([
      'event_too_large',
      'reserved_stream',
      'invalid_stream',
    ]);
    expect(response.events.map((event) => String(event).length)).toEqual([1024 * 1024 - 2, 4]);
  });

  test('emits without end gets one error and keeps the first', async () => {
    const response = await withNeighbour(
      runner.run(untrusted('for (let i = 0; i < 50_000; i++) this.$emit(i);'), { limits: { emits: 100 } }),
    );

    expect(response.events).toHaveLength(100);
    expect(response.of('error').map(({ error }) => error.code)).toEqual(['too_many_emits']);
    expect(response.ends).toEqual(['ok']);
  });

  test('stores too much in its db, or a value that is not JSON, ends with a clear error and keeps the db', async () => {
    const response = await runner.run(
      source(
        `run(value) { this.db.set('a', 1); this.db.set('b', { big: 'x'.repeat(70_000), code: () => {}, number: 1n }[value]); }`,
      ),
      { jobs: [run('big'), run('code'), run('number')] },
    );

    expect(response.ends).toEqual(['db_too_large', 'db_not_serialisable', 'db_not_serialisable']);
    expect(response.db).toEqual({ a: 1 });
  });

  test.each([
    ['the console', `for (let i = 0; i < 200_000; i++) console.log('x'.repeat(50) + i); console.log('last');`],
    ['stdout', `for (let i = 0; i < 200; i++) process.stdout.write('x'.repeat(50_000)); console.log('last');`],
    [
      'the bare descriptors',
      `const b = Buffer.alloc(1e5, 'x'); for (let i = 0; i < 100; i++) { fs.writeSync(1, b); fs.writeSync(2, b); } console.log('last');`,
    ],
  ])('writes 10 MB to %s costs kilobytes and keeps its last line', async (_, body) => {
    const response = await withNeighbour(runner.run(untrusted(body, `import fs from 'node:fs';`)));

    expect(response.ends).toEqual(['ok']);
    expect(response.logs.at(-1)).toBe('last');
    expect(response.logs.join('').length).toBeLessThan(2 ** 20);
  });

  test('logs for ever still shows its last line', async () => {
    const code = untrusted('for (let i = 0; ; i++) console.log(i);');
    const response = await withNeighbour(runner.run(code, { limits: { timeoutMs: 1000 } }));

    expect(response.ends).toEqual(['timeout']);
    expect(Number(response.logs.at(-1))).toBeGreaterThan(1000);
  });

  test('writes lines of its own affects only its own current job, within the limits', async () => {
    const withJson = [
      { k: 'emit', job: 'another', json: '1', meta: {} },
      { k: 'emit', job: 'mine', json: 'no json', meta: {} },
      { k: 'emit', job: 'mine', json: '1', meta: { name: '$errors' } },
      { k: 'db', job: 'mine', json: '[]' },
    ];
    const forged = [
      ...withJson,
      { k: 'respond', job: 'mine', status: 200, headers: { 'content-length': '1' }, body: '', base64: false },
      { k: 'respond', job: 'mine', status: 20, headers: {}, body: '', base64: false },
      { k: 'unready', job: 'mine', message: 'again, please' },
      { k: 'nonsense', job: 'mine' },
      'text',
      { k: 'end', job: 'mine', ms: -5 },
      { k: 'emit', job: 'mine', json: '"after the end"', meta: {} },
    ];
    const unquoted = withJson.map((line) => lineText(line));
    const quoted = forged.map((line) => `${JSON.stringify(line)}\n`);
    const lines = [...unquoted, ...quoted].join('');
    const code = untrusted(
      `fs.writeSync(4, ${JSON.stringify(`{broken\n${lines}`)}); this.$emit('late');`,
      `import fs from 'node:fs';`,
    );
    const response = await runner.run(code, { jobs: [{ kind: 'run', id: 'mine', event: '1' }] });

    expect(response.lines).toEqual([{ k: 'end', job: 'mine', ms: expect.any(Number) }]);
    expect(response.of('end')[0]?.ms).toBeGreaterThanOrEqual(0);
  });

  test('writes to the pipe without end is ended', async () => {
    const code = untrusted(
      `const b = Buffer.alloc(1e6, 'x'); for (;;) fs.writeSync(4, b);`,
      `import fs from 'node:fs';`,
    );
    const response = await withNeighbour(runner.run(code));

    expect(response.ends).toEqual(['crashed']);
  });

  test('throws an unreadable value ends with an error', async () => {
    const code = untrusted(
      `throw new Proxy({}, { get() { throw new Error('trap'); }, ownKeys() { throw new Error('trap'); } });`,
    );

    expect((await runner.run(code)).ends).toEqual(['Error']);
  });

  test('breaks its own globals harms itself only', async () => {
    const code = untrusted(
      `JSON.stringify = () => 'broken'; Array.prototype.map = null; Promise.prototype.then = null; this.$emit(1);`,
    );
    const response = await withNeighbour(runner.run(code, { limits: { timeoutMs: 500 } }));

    expect(response.of('end')).toHaveLength(1);
    expect((await runner.run(neighbour)).ends).toEqual(['ok']);
  });
});
