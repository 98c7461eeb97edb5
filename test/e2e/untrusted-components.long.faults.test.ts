import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assemblyWith } from '../support/assembly-with.ts';
import { Receiver } from '../support/receiver.ts';
import { type Deployed, ECHO, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { trustRegistry } from '../support/registry-certificates.ts';

trustRegistry();

const RUN_TIMEOUT_MS = 3_000;
/** A busy machine may reach the time limit first: it gives memory slowly, and long runs have a low priority. */
const OUT_OF_MEMORY = /^(out_of_memory|timeout)$/;
/** A fault may delay other sources for longer than an untrusted component runs. */
const hasFaults = inject('faults') === 'injected';

let scene: Scene;
let neighbour: Deployed;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  scene = await Scene.open({ assembly: assemblyWith({ limits: { runTimeoutMs: RUN_TIMEOUT_MS } }) });
  neighbour = await scene.source(ECHO, { name: 'neighbour' });
  const hook = await scene.webhook(receiver);
  await scene.subscribe(neighbour.id, hook.id);
  await others(() => true);
});
afterAll(async () => {
  await scene.close();
  await receiver.stop();
});

let sent = 0;
/**
 * Sends requests to another source until the untrusted run has ended. Returns the number of events delivered before
 * that.
 */
async function others(isOver: () => boolean | Promise<boolean>): Promise<number> {
  for (let served = 0; ; served += 1) {
    const n = (sent += 1);
    expect((await scene.send(neighbour.endpoint, { n })).status).toBe(200);
    await until('the other is served', () => receiver.received.some(({ body }) => body === `{"n":${n}}`), {
      everyMs: 100,
    });
    if (await isOver()) return served;
  }
}
/** Other requests are served during an untrusted run of seconds. The first may come before that run starts. */
function expectServedMeanwhile(served: number): void {
  if (!hasFaults) expect(served).toBeGreaterThan(1);
}
const isThrough = (id: string) => async () => (await scene.events(id))[0]?.event.fine === 'next';

/** Does `deed` for one request and emits the body of others: one process may serve both. */
const untrusted = (deed: string) => `export default {
  name: 'Untrusted', version: '1', props: { http: '$.interface.http', db: '$.service.db' },
  async run({ body }) {
    if (body.fine) { this.$emit({ fine: body.fine, before: this.db.get('before') }); return; }
    this.db.set('before', 'kept');
    this.$emit({ emitted: 'before' });
    console.log('before');
    ${deed};
    this.$emit({ emitted: 'after' });
  },
};`;

test.each([
  ['an endless loop in run', 'for (;;) {}', 'timeout'],
  ['a run that never ends', 'await new Promise(() => setInterval(() => {}, 1000))', 'timeout'],
  ['a memory bomb of objects', 'const all = []; for (;;) all.push(new Array(1e6).fill(0.5))', OUT_OF_MEMORY],
  [
    'a memory bomb of buffers',
    'const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await new Promise((r) => setTimeout(r, 1)); }',
    OUT_OF_MEMORY,
  ],
  ['process.exit', 'process.exit(0)', 'crashed'],
  ['process.kill of itself', "process.kill(process.pid, 'SIGKILL')", 'crashed'],
  ['an emit beyond 1 MiB', "this.$emit({ text: 'x'.repeat(2 ** 20) })", 'event_too_large'],
  ['an emit of 300 MB', "this.$emit({ text: 'x'.repeat(3e8) })", /^(event_too_large|out_of_memory|timeout)$/],
  ['an emit of undefined', 'this.$emit(undefined)', 'event_not_serialisable'],
  ['an emit of a function', 'this.$emit(() => 1)', 'event_not_serialisable'],
  ['an emit of a cycle', 'const cycle = {}; cycle.cycle = cycle; this.$emit(cycle)', 'event_not_serialisable'],
  ['an emit of a BigInt', 'this.$emit({ n: 1n })', 'event_not_serialisable'],
  ['an emit on a stream of the service', "this.$emit({ n: 1 }, { name: '$errors' })", /./],
  ['a db value with a cycle', "const cycle = {}; cycle.cycle = cycle; this.db.set('c', cycle)", /./],
  ['a db value with a BigInt', "this.db.set('b', { n: 1n })", /./],
  ['a db of more than 60 KB', "this.db.set('large', 'x'.repeat(61 * 1024))", 'db_too_large'],
  ['an exception of undefined', 'throw undefined', /./],
  [
    'a rejection that nobody handles',
    "Promise.reject(new Error('unhandled')); await new Promise((r) => setTimeout(r, 50))",
    /./,
  ],
])(
  '%s gives one $errors event; earlier emits are kept, the next run succeeds, and other sources are served meanwhile',
  async (_name, deed, code) => {
    const source = await scene.source(untrusted(deed));
    expect((await scene.send(source.endpoint, { fine: 'first' })).status).toBe(200);
    await scene.eventsOf(source.id, 1);
    expect((await scene.send(source.endpoint, { deed: true })).status).toBe(200);
    expect((await scene.send(source.endpoint, { fine: 'next' })).status).toBe(200);
    const served = await others(isThrough(source.id));
    const events = await scene.events(source.id);
    expect(events.filter(({ event }) => event.emitted === 'before')).toHaveLength(1);
    expect(events[0]?.event.before).toBe('kept');
    const errors = await scene.errorsOf(source.id);
    expect(errors).toHaveLength(1);
    const [{ event } = expect.fail()] = errors;
    expect(event.error.code).toMatch(typeof code === 'string' ? new RegExp(`^${code}$`) : code);
    expect(event.original_event).toMatchObject({ method: 'POST', body: { deed: true } });
    if (event.error.code === 'timeout') expectServedMeanwhile(served);
  },
);

test('emits without end are refused with too_many_emits, the run ends by its time limit, while others are served', async () => {
  const source = await scene.source(untrusted('for (let n = 0; ; n += 1) this.$emit({ n })'));
  await scene.send(source.endpoint, { deed: true });
  await scene.send(source.endpoint, { fine: 'next' });
  const served = await others(isThrough(source.id));
  const [, last] = await scene.events(source.id);
  // One event was emitted before. A busy machine may not emit ten thousand within the time limit.
  const hasEmittedAll = last?.event.n === 9_998;
  const expected = hasEmittedAll ? ['timeout', 'too_many_emits'] : ['timeout'];
  const errors = await scene.errorsOf(source.id, expected.length);
  expect(errors.map(({ event }) => event.error.code as string).sort()).toEqual(expected);
  expect(last?.event.n).toBeLessThan(9_999);
  expectServedMeanwhile(served);
});

test('a flood on stdout, stderr and console harms no other source; the last 100 lines are kept', async () => {
  const source = await scene.source(
    untrusted(
      `for (let i = 0; i < 20000; i += 1) { process.stdout.write('x'.repeat(1000) + '\\n'); console.error('line ' + i, 'y'.repeat(1000)); }`,
    ),
  );
  await scene.send(source.endpoint, { deed: true });
  await scene.send(source.endpoint, { fine: 'next' });
  await others(isThrough(source.id));
  const [log] = await scene.eventsOf(source.id, 1, { event_name: '$logs', expand: 'event' });
  expect(log?.event.lines.length).toBeLessThanOrEqual(100);
  expect(log?.event.lines.at(-1).msg).toContain('19999');
  expect(Buffer.byteLength(JSON.stringify(log?.event))).toBeLessThan(80 * 1024);
});

test('a component does not reach the API of its own service', async () => {
  const source = await scene.source(`export default {
    name: 'Caller', version: '1', props: { http: '$.interface.http' },
    async run({ body }) {
      for (const path of ['/users/me', '/sources', '/nothing']) this.$emit({ path, status: await fetch(body.base + path).then(({ status }) => status, () => 'refused') });
    },
  };`);
  await scene.send(source.endpoint, { base: scene.cloud.base });
  const events = await scene.eventsOf(source.id, 3);
  expect(events.map(({ event }) => event.status)).toEqual(['refused', 'refused', 'refused']);
});

const LOADS = `\nexport default { name: 'X', version: '1', run() {} };`;

test.each([
  [
    'endless loops, top-level awaits that never come, and memory bombs at load',
    [
      'for (;;) {}',
      'await new Promise(() => setInterval(() => {}, 1000));',
      'const all = []; for (;;) all.push(new Array(1000).fill({}));',
    ],
    /^load_/,
  ],
  [
    'process.exit and exceptions at load',
    ['process.exit(0);', "throw new Error('at load');", 'throw undefined;'],
    /^load_failed$/,
  ],
  [
    'syntax errors and missing packages',
    ['export default {,,', "import x from '@tributary-test/there-is-no-such-package'; x();"],
    /^build_failed$/,
  ],
])('%s are 400 with the reason, and other requests are served meanwhile', async (_name, tops, code) => {
  let isAnswered = false;
  const responses = Promise.all(tops.map((top) => scene.api.post('/sources', { component_code: top + LOADS }))).finally(
    () => (isAnswered = true),
  );
  const served = await others(() => isAnswered);
  for (const { status, body } of await responses) {
    expect([status, body.code]).toEqual([400, expect.stringMatching(code)]);
    expect(body.error.length).toBeGreaterThan(10);
  }
  // The loops end by the time limit of loading.
  if ((await responses).some(({ body }) => body.code === 'load_timeout')) expectServedMeanwhile(served);
});
