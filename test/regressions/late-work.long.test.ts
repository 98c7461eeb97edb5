import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene, type Deployed } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

interface RunLog {
  run_id: string;
  lines: { k: string; msg: string }[];
}

/** Its run has ended by then, on a slow machine, too. */
const LATE_MS = 300;
const START_LATE = `setTimeout(late, ${LATE_MS});`;
/** The end of a run that waits shows that the late call of the run before has happened. */
const LATE_OR_WAIT = `if (body.wait) await new Promise((resolve) => setTimeout(resolve, ${2 * LATE_MS})); else ${START_LATE}`;

/**
 * A component that does `late` some time after its start. Its other runs, of requests without a body `late`, do
 * nothing.
 */
const code = (late: string, start = START_LATE, hooks = '') => `export default {
  name: 'Late', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' }, ${hooks}
  async run({ body }) {
    if (body?.late) {
      console.log('started');
      const late = () => { ${late} };
      ${start}
    }
    this.http.respond({ status: 200 });
  },
};`;

const logsOf = async (source: Deployed): Promise<RunLog[]> =>
  (await scene.events(source.id, { event_name: '$logs', expand: 'event' })).map(({ event }) => event);

/** Lines of the `$logs` events about late work, oldest first, with the ids of their runs. */
const reportsOf = async (source: Deployed): Promise<RunLog[]> =>
  (await logsOf(source)).filter(({ lines }) => lines.some(({ msg }) => msg.includes('had ended'))).reverse();

const sendOther = async (source: Deployed) => expect((await scene.send(source.endpoint, {})).status).toBe(200);

/** Waits for so many reports, without another run. */
const reportsAfter = (source: Deployed, count = 1): Promise<RunLog[]> =>
  until(
    'a report of late work',
    async () => {
      const reports = await reportsOf(source);
      return reports.length >= count && reports;
    },
    { withinMs: 20_000, everyMs: 100 },
  );

/** Waits for the report of a run that begins now: reports of all earlier runs have come by then. */
async function laterReport(): Promise<void> {
  const later = await scene.source(code('this.$emit({});'));
  await scene.send(later.endpoint, { late: true });
  await reportsAfter(later);
}

test('emits, log lines and writes after the end of a run are counted in one further $logs event of that run', async () => {
  const source = await scene.source(
    code("this.$emit({}); this.$emit({}); console.log('secret'); console.log('x'); this.db.set('a', 1);"),
  );
  await scene.send(source.endpoint, { late: true });
  await reportsAfter(source);
  await laterReport();
  const reports = await reportsOf(source);
  expect(reports).toHaveLength(1);
  const [report] = reports;
  expect(report?.lines).toEqual([
    {
      k: 'console.warn',
      ts: expect.any(Number),
      msg: 'After this run had ended, the component emitted 2 events, wrote 2 log lines and called db.set 1 time. All of it is lost: await asynchronous work in run and in hooks',
    },
  ]);
  const own = (await logsOf(source)).filter(({ run_id }) => run_id === report?.run_id);
  expect(own.flatMap(({ lines }) => lines.map(({ msg }) => msg))).toContain('started');
  expect(await scene.events(source.id)).toEqual([]);
});

test('awaited work is not reported', async () => {
  const source = await scene.source(
    code(
      "this.$emit({}); console.log('x'); this.db.set('a', 1);",
      'await new Promise((resolve) => setTimeout(() => { late(); resolve(); }, 50));',
    ),
  );
  for (let runs = 0; runs < 3; runs += 1) {
    await scene.send(source.endpoint, { late: true });
    await sendOther(source);
  }
  await laterReport();
  expect(await reportsOf(source)).toEqual([]);
  expect(await scene.events(source.id)).toHaveLength(3);
});

test('each of several runs that go on gets a report of its own', async () => {
  const source = await scene.source(code('this.$emit({});'));
  for (let runs = 0; runs < 3; runs += 1) await scene.send(source.endpoint, { late: true });
  await reportsAfter(source, 3);
  await laterReport();
  const reports = await reportsOf(source);
  expect(new Set(reports.map(({ run_id }) => run_id)).size).toBe(3);
  expect(reports).toHaveLength(3);
});

test('a component that goes on for ever makes one report for each run, and its neighbour runs as before', async () => {
  const source = await scene.source(
    code('for (let n = 0; n < 100; n += 1) this.$emit({});', `setTimeout(() => setInterval(late, 1), ${LATE_MS});`),
  );
  const neighbour = await scene.source(code('', ''));
  await scene.send(source.endpoint, { late: true });
  await reportsAfter(source);
  for (let runs = 0; runs < 3; runs += 1) {
    await scene.send(source.endpoint, {});
    const startedAt = performance.now();
    await scene.send(neighbour.endpoint, {});
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await reportsAfter(source, runs + 2);
  }
  const reports = await reportsOf(source);
  expect(reports).toHaveLength(4);
  expect(new Set(reports.map(({ run_id }) => run_id)).size).toBe(4);
  expect(await scene.events(source.id)).toEqual([]);
});

test('a run by the API is reported two seconds after its first late call, with its own trigger id', async () => {
  const source = await scene.source(code("this.db.set('a', 1);"));
  const before = Date.now();
  const { body } = await scene.api.post(`/sources/${source.id}/run`, { late: true });
  const [report] = await reportsAfter(source);
  expect(report?.run_id).toBe(body.data.id);
  const [event] = await scene.events(source.id, { event_name: '$logs' });
  expect(event?.indexed_at_ms).toBeGreaterThanOrEqual(before + LATE_MS + 2_000);
  expect(event?.indexed_at_ms).toBeLessThan(before + 10_000);
});

test('a process that is replaced is reported', async () => {
  const source = await scene.source(code('this.$emit({});', LATE_OR_WAIT));
  await scene.send(source.endpoint, { late: true });
  await scene.send(source.endpoint, { late: true, wait: true });
  const { status } = await scene.api.put(`/sources/${source.id}`, { component_code: code('', '') });
  expect(status).toBe(200);
  await sendOther(source);
  expect((await reportsAfter(source))[0]?.lines[0]?.msg).toContain('emitted 1 event.');
});

test('a source that listens to its own reports is cut like any other chain', async () => {
  const source = await scene.source(`export default {
    name: 'Loop', version: '0.0.1', props: { http: '$.interface.http' },
    run() { setTimeout(() => this.$emit({}), ${LATE_MS}); },
  };`);
  await scene.subscribe(source.id, source.id, '$logs');
  await scene.send(source.endpoint, {});
  const [error] = await scene.eventsOf(source.id, 1, { event_name: '$errors', expand: 'event' });
  expect(error?.event.error.code).toBe('hop_limit');
  expect(await reportsOf(source)).toHaveLength(2);
});

test('a component that ends its process is reported', async () => {
  const source = await scene.source(code('this.$emit({}); process.exit(1);'));
  await scene.send(source.endpoint, { late: true });
  expect((await reportsAfter(source))[0]?.lines[0]?.msg).toContain('emitted 1 event.');
});

test('a service that stops before the two seconds are over reports at its next start', async () => {
  const source = await scene.source(code('this.$emit({});', LATE_OR_WAIT));
  await scene.send(source.endpoint, { late: true });
  await scene.send(source.endpoint, { late: true, wait: true });
  await scene.cloud.restart();
  expect((await reportsAfter(source))[0]?.lines[0]?.msg).toContain('emitted 1 event.');
});

test.for([
  [
    'a promise that a failed run left behind',
    "this.db.set('a', 1);",
    `${START_LATE} throw new Error('no');`,
    'called db.set 1 time',
  ],
  ['a response', 'this.http.respond({ status: 202 });', START_LATE, 'called respond 1 time'],
  ['an error', "throw new Error('nobody sees this');", START_LATE, 'threw 1 error'],
  ['an event that is no JSON', 'this.$emit(1n);', START_LATE, 'emitted 1 event'],
] as const)('%s is reported, too', async ([, late, start, expected]) => {
  const source = await scene.source(code(late, start));
  await scene.send(source.endpoint, { late: true });
  const [report] = await reportsAfter(source);
  expect(report?.lines[0]?.msg).toContain(expected);
});

test('late work of a hook is reported with the run_id of the hook', async () => {
  const source = await scene.source(
    code('', '', `hooks: { async deploy() { setTimeout(() => this.$emit({}), ${LATE_MS}); } },`),
  );
  const [report] = await reportsAfter(source);
  expect(report?.run_id).toMatch(/-deploy$/);
});
