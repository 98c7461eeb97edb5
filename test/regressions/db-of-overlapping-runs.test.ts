import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SourceId } from '../../shared/domain/id.ts';
import { emits, ended } from '../support/world/script.ts';
import { openWorld, type World } from '../support/world/world.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const LIMIT = 60 * 1024;
const large = (letter: string) => letter.repeat(40_000);

/** Two runs that each kept the limit made a db of twice its size, which no later run could write to. */
describe('runs that overlap and fill the db together', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open();
  });
  afterAll(() => scene.close());

  const code = `export default {
    name: 'Filler', version: '0.0.1',
    props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
    async run({ body = {} }) {
      const { key, gate } = body;
      if (key) this.db.set(key, key.repeat(40_000));
      if (key) this.db.set(key + '-small', 1);
      if (gate) await fetch(gate).catch(() => undefined);
      const sizes = ['a', 'b', 'a-small', 'b-small'].map((name) => String(this.db.get(name) ?? '').length);
      this.http.respond({ status: 200, body: sizes });
    },
  };`;

  test.each(['beside', 'in the queue'])(
    'the last run to end, %s, drops the values that do not fit and logs it',
    async (where) => {
      const source = await scene.source(code);
      const { receiver } = await scene.webhook();
      receiver.respond = () => 'hang';
      const first = { key: 'a', gate: receiver.url };
      const slow =
        where === 'beside' ? scene.send(source.endpoint, first) : scene.api.post(`/sources/${source.id}/run`, first);
      await until('the slow run waits', () => receiver.received.length > 0);
      expect((await scene.send(source.endpoint, { key: 'b' })).status).toBe(200);
      await receiver.stop();
      await slow;
      const [{ event } = expect.fail()] = await scene.errorsOf(source.id);
      expect(event).toMatchObject({
        error: { code: 'db_too_large', message: expect.stringContaining('left out') as string },
        original_context: { source_id: source.id },
      });
      expect(await (await scene.send(source.endpoint)).json()).toEqual([0, 40_000, 1, 1]);
      expect((await scene.send(source.endpoint, { key: 'b' })).status).toBe(200);
    },
  );
});

/** The other writer may also come between the first merge and the save. */
describe('a db that another run fills while this one is saved', () => {
  let stage: World;
  beforeEach(async () => {
    stage = await openWorld();
    await stage.user();
  });
  afterEach(() => stage.close());

  const fill = async (id: SourceId) => {
    const { state } = await stage.services.emitters.load(id);
    await stage.services.emitters.save({ emitterId: id, state, db: JSON.stringify({ b: large('b') }) });
  };

  test('keeps within the limit, and the error event comes once, after what was emitted', async () => {
    const source = await stage.source();
    const db = { k: 'db', json: JSON.stringify({ a: large('a'), small: 1 }) } as ReturnType<typeof emits>;
    stage.control.script = () => [emits('{"n":1}'), db, ended()];
    const { emitters, events } = stage.services;
    let tries = 0;
    const contended = {
      ...emitters,
      save: async (save: Parameters<typeof emitters.save>[0]) => {
        tries += 1;
        if (tries <= 2) await fill(source.id);
        return emitters.save(save);
      },
    };
    const result = await stage.execute(stage.received([stage.trigger(source)]), {
      with: { ...stage.services, emitters: contended },
    });
    expect([result, tries]).toEqual([{ completed: 1 }, 3]);

    const { db: saved } = await emitters.load(source.id);
    expect(Buffer.byteLength(saved)).toBeLessThan(LIMIT);
    expect(Object.keys(JSON.parse(saved) as object)).toEqual(['b', 'small']);
    const [error = expect.fail(), ...more] = await events.latest(source.id, '$errors');
    expect(more).toEqual([]);
    expect(JSON.parse(error.json)).toMatchObject({ error: { code: 'db_too_large' } });
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['default', '$errors']);

    // The next event is younger than the error event, so its id was saved as given out.
    stage.control.script = () => [emits('{"n":2}'), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    const ids = stage.deliveries.map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(3);
  });
});
