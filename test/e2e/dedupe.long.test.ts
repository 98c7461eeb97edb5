import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene, type Summary } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** A run emits one event per id of its event, and then logs a line. */
const component = (dedupe: string) => `export default {
  name: 'Deduping', version: '1', dedupe: '${dedupe}', props: { http: '$.interface.http' },
  run({ body }) { for (const [id, ts] of body.ids) this.$emit({ id }, { id, ts }); console.log('through'); },
};`;

class Deduping {
  readonly id: string;
  private readonly endpoint: string;
  private runs = 0;
  private seen = 0;

  constructor({ id, endpoint }: { id: string; endpoint: string }) {
    this.id = id;
    this.endpoint = endpoint;
  }

  /** Runs the source with these ids. Returns the emitted ids, oldest first. */
  async run(...ids: (string | number | null | [string | number, number])[]): Promise<unknown[]> {
    await scene.send(this.endpoint, { ids: ids.map((id) => (Array.isArray(id) ? id : [id ?? undefined])) });
    this.runs += 1;
    await scene.eventsOf(this.id, Math.min(this.runs, 100), { event_name: '$logs' });
    const events = (await scene.events(this.id)).map(({ event }: Summary) => event.id as unknown).reverse();
    const fresh = events.slice(this.seen);
    this.seen = events.length;
    return fresh;
  }
}

test('unique: an id among the last 100 emitted is not emitted again, also after a restart and an update', async () => {
  const source = await scene.source(component('unique'));
  const deduping = new Deduping(source);
  expect(await deduping.run('a', 'b', 'a', 1, '1')).toEqual(['a', 'b', 1]);
  await scene.cloud.restart();
  expect(await deduping.run('b', 'c')).toEqual(['c']);
  await scene.api.put(`/sources/${source.id}`, { component_code: component('unique').replace("'1'", "'2'") });
  expect(await deduping.run('a', 'd')).toEqual(['d']);
  await scene.api.delete(`/sources/${source.id}/events`, { event_name: 'default' });
  expect(await deduping.run('d')).toEqual([]);
});

test('unique: the cache holds 100 ids, the oldest goes first', async () => {
  const deduping = new Deduping(await scene.source(component('unique')));
  expect(await deduping.run(...Array.from({ length: 99 }, (_, index) => index))).toHaveLength(99);
  expect(await deduping.run(0)).toEqual([]);
  await deduping.run(99);
  const again = await scene.source(component('unique'));
  const full = new Deduping(again);
  await full.run(...Array.from({ length: 100 }, (_, index) => index));
  await scene.send(again.endpoint, { ids: [[100]] });
  await scene.eventsOf(again.id, 2, { event_name: '$logs' });
  await scene.send(again.endpoint, { ids: [[0], [50]] });
  await scene.eventsOf(again.id, 3, { event_name: '$logs' });
  const [newest, before] = await scene.events(again.id);
  expect([newest?.event.id, before?.event.id]).toEqual([0, 100]);
});

test('unique: all characters of ids longer than 64 count', async () => {
  const deduping = new Deduping(await scene.source(component('unique')));
  const long = 'x'.repeat(200);
  expect(await deduping.run(`${long}a`, `${long}b`, `${long}a`)).toEqual([`${long}a`, `${long}b`]);
});

test('greatest: only ids larger than every one before, also after a restart', async () => {
  const deduping = new Deduping(await scene.source(component('greatest')));
  expect(await deduping.run(5, 3, 7)).toEqual([5, 7]);
  await scene.cloud.restart();
  expect(await deduping.run(6, 7, 9, 10)).toEqual([9, 10]);
});

test('last: only what comes after the newest id of the previous run; everything when it is not there; also after a restart', async () => {
  const deduping = new Deduping(await scene.source(component('last')));
  expect(await deduping.run('a', 'b')).toEqual(['a', 'b']);
  expect(await deduping.run('a', 'b', 'c')).toEqual(['c']);
  await scene.cloud.restart();
  expect(await deduping.run('b', 'c', 'd', 'e')).toEqual(['d', 'e']);
  expect(await deduping.run('x', 'y')).toEqual(['x', 'y']);
});

test('an emit without id under dedupe is emitted, with a warning in $logs', async () => {
  const source = await scene.source(component('unique'));
  const deduping = new Deduping(source);
  await scene.send(source.endpoint, { ids: [[], []] });
  const events = await scene.eventsOf(source.id, 2);
  expect(events).toHaveLength(2);
  const [log] = await scene.eventsOf(deduping.id, 1, { event_name: '$logs' });
  expect(log?.event.lines).toContainEqual(expect.objectContaining({ k: 'console.warn' }));
});

test('emits of one run are stored oldest first by ts', async () => {
  const deduping = new Deduping(await scene.source(component('unique')));
  expect(await deduping.run(['late', 3_000], ['early', 1_000], ['middle', 2_000])).toEqual(['early', 'middle', 'late']);
});
