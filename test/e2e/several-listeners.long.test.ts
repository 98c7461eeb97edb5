import { afterAll, beforeAll, expect, test } from 'vitest';
import { ECHO, PASS, Scene } from '../support/scene.ts';

const EVENTS = 25;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/**
 * docs/architecture.md: the queue of triggers keeps the order of each source. The triggers of an event come together,
 * in one batch with several groups.
 */
test('three sources that listen to another each run once for every event, in the order of the events', async () => {
  const source = await scene.source(ECHO);
  const listeners = await Promise.all([1, 2, 3].map(() => scene.source(PASS)));
  for (const { id } of listeners) await scene.subscribe(source.id, id);
  for (let n = 1; n <= EVENTS; n += 1) {
    expect((await scene.send(source.endpoint, { n })).status).toBe(200);
    for (const { id } of listeners) await scene.eventsOf(id, n);
  }
  const newestFirst = Array.from({ length: EVENTS }, (_, index) => EVENTS - index);
  for (const { id } of listeners)
    expect((await scene.events(id)).map(({ event }) => event.n as number)).toEqual(newestFirst);
});
