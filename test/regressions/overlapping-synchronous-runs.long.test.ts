import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLimiter } from '../../shared/lib/limiter.ts';
import { DEFAULT_SHARE } from '../../shared/service/admission/synchronous-share.ts';
import { repetitions } from '../support/repetitions.ts';
import { type Deployed, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Changes its db as the request says and responds with it. Slow runs wait until their gate is open. */
const code = (more = '') => `export default {
  name: 'Synchronous', version: '0.0.1', ${more}
  props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
  async run({ body = {} }) {
    const { id, set = {}, gate } = body;
    const [key] = Object.keys(set);
    if (key !== undefined) this.db.set(key, set[key]);
    if (gate) await fetch(gate).catch(() => undefined);
    if (id !== undefined) this.$emit({ id }, { id });
    this.http?.respond({ status: 200, body: { db: Object.fromEntries('abcdefghij'.split('').map((k) => [k, this.db.get(k)])) } });
  },
};`;
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
/**
 * Sends one request for each body, as many at the same time as the source runs: further ones would be refused on a slow
 * machine.
 */
function responses({ endpoint }: Deployed, bodies: object[]): Promise<number[]> {
  const limited = createLimiter(DEFAULT_SHARE.perUser / 2);
  return Promise.all(bodies.map((body) => limited(async () => (await scene.send(endpoint, body)).status)));
}
const idsOf = async ({ id }: Deployed) => (await scene.events(id)).map(({ event }) => event.id as number);

async function dbOf({ endpoint }: Deployed): Promise<Record<string, unknown>> {
  const { db } = (await (await scene.send(endpoint)).json()) as { db: Record<string, unknown> };
  return db;
}

/** A run that fetches this URL waits until the gate is opened. */
async function gate() {
  const { receiver } = await scene.webhook();
  receiver.respond = () => 'hang';
  return {
    url: receiver.url,
    reached: () => until('the run waits', () => receiver.received.length > 0),
    open: () => receiver.stop(),
  };
}

/** Overlapping runs emitted an id twice, because each knew only the ids emitted before its start. */
describe('dedupe among synchronous runs', () => {
  test('unique: overlapping runs emit an id once', async () => {
    const source = await scene.source(code(`dedupe: 'unique',`));
    const bodies = range(repetitions(24, 60)).map((n) => ({ id: n % 3 }));
    expect(new Set(await responses(source, bodies))).toEqual(new Set([200]));
    expect((await idsOf(source)).sort()).toEqual([0, 1, 2]);
  });

  test('greatest: no id is emitted after an equal or greater id', async () => {
    const source = await scene.source(code(`dedupe: 'greatest',`));
    const bodies = range(repetitions(20, 50)).map((n) => ({ id: n % 10 }));
    await responses(source, bodies);
    const ids = await idsOf(source);
    expect(ids).toContain(9);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['synchronous', 'queued'],
    ['queued', 'synchronous'],
  ])('a slow %s run emits no id that a quick %s run emitted meanwhile', async (kind) => {
    const source = await scene.source(code(`dedupe: 'unique',`));
    const { url, reached, open } = await gate();
    const queued = (body: object) => scene.api.post(`/sources/${source.id}/run`, body);
    const synchronous = (body: object) => scene.send(source.endpoint, body);
    const slow = kind === 'synchronous' ? synchronous : queued;
    const quick = kind === 'synchronous' ? queued : synchronous;
    const ended = slow({ id: 1, gate: url });
    await reached();
    await quick({ id: 1 });
    await scene.eventsOf(source.id, 1);
    await open();
    await ended;
    await until('both are through', scene.isThrough);
    expect(await idsOf(source)).toEqual([1]);
  });
});

/** The last run to end replaced the whole db, and with it the writes of other runs. */
describe('the db of synchronous runs', () => {
  test('has the writes of all overlapping runs', async () => {
    const source = await scene.source(code());
    const bodies = [...'abcdefghij'].map((key) => ({ set: { [key]: key } }));
    await responses(source, bodies);
    expect(Object.values(await dbOf(source)).join('')).toBe('abcdefghij');
  });

  test.each(['synchronous', 'queued'])('keeps the writes of a quick %s run during a slow run', async (kind) => {
    const source = await scene.source(code());
    const { url, reached, open } = await gate();
    const slow = scene.send(source.endpoint, { set: { a: 'slow' }, gate: url });
    await reached();
    const quick = { set: { b: 'quick' } };
    if (kind === 'synchronous') await scene.send(source.endpoint, quick);
    else await scene.api.post(`/sources/${source.id}/run`, quick);
    await until('the quick one has written', async () => (await dbOf(source))['b'] === 'quick');
    await open();
    await slow;
    expect(await dbOf(source)).toEqual({ a: 'slow', b: 'quick' });
  });

  test('keeps the writes of a provider request that arrives during activate', async () => {
    const { url, reached, open } = await gate();
    const hooks = `hooks: { async activate() {
      await fetch('${url}', { method: 'POST', body: this.http.endpoint }).catch(() => undefined);
      this.db.set('a', 'registered');
    } },`;
    const created = scene.source(code(hooks));
    await reached();
    const [{ id } = expect.fail()] = (await scene.api.get('/users/me/sources')).body.data;
    const { body } = await scene.api.get(`/sources/${id}`);
    await scene.send(body.data.configured_props.http.endpoint_url, { set: { b: 'handshake' } });
    await open();
    expect(await dbOf(await created)).toEqual({ a: 'registered', b: 'handshake' });
  });
});

/**
 * Half of the requests got 503 after successful runs, because a save failed when another run had saved the state
 * meanwhile.
 */
test('many concurrent requests all get the response of the component, and each run emits', async () => {
  const source = await scene.source(code());
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  const size = repetitions(20, 30);
  for (const round of range(2)) {
    const bodies = range(size).map((n) => ({ id: round * size + n, set: { a: n } }));
    expect(new Set(await responses(source, bodies))).toEqual(new Set([200]));
  }
  await until('all are delivered', () => new Set(hook.receiver.received.map(({ body }) => body)).size === 2 * size);
});
