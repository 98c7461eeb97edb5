import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import { startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { apiClient } from '../../support/api-client.ts';
import { Receiver } from '../../support/receiver.ts';
import { repetitions } from '../../support/repetitions.ts';
import { publish } from '../../support/stores.ts';
import { LISTENING, PASS_THROUGH, REMEMBERING } from './components.ts';
import { play, type Stage } from './play.ts';
import { SeededFaults } from './seeded-faults.ts';
import { WebhookResponses } from './webhook-responses.ts';

/** `SEED=17 npx vitest run test/programs/model` plays one seed, `SEED=17-40` several. */
const { SEED } = process.env;
const ROUNDS = 20;
/** `npm test` plays one seed, in which every kind of fault happens. */
const USUAL = [5];
const seeds =
  SEED === undefined
    ? repetitions(USUAL, between(1, 10))
    : between(...z.tuple([z.coerce.number(), z.coerce.number().optional()]).parse(SEED.split('-')));
/** A third of the usual count, which depends on what happens at the same time. */
const POINTS = repetitions(2_000, 13_000);

function between(first: number, last = first): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const faults = new SeededFaults();
const clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
let cloud: TestCloud;
let receiver: Receiver;
let stage: Stage;

beforeAll(async () => {
  cloud = await startTestCloud({ clock, faults });
  receiver = await Receiver.start();
  const api = await apiClient(cloud.base, cloud.key);
  const component = async (code: string): Promise<string> => {
    const { body } = await api.post('/components', { component_code: code });
    await publish(cloud, body.data.id);
    return body.data.id;
  };
  const components = {
    remembering: await component(REMEMBERING),
    'pass-through': await component(PASS_THROUGH),
    listening: await component(LISTENING),
  };
  stage = { cloud, clock, faults, responses: new WebhookResponses(receiver), components };
});
afterAll(async () => {
  await cloud.stop();
  await receiver.stop();
});

test.each(seeds)('seed %i: no promise breaks, whatever fails', async (seed) => {
  const before = faults.points;
  const { broken, ...counts } = await play(stage, { seed, rounds: ROUNDS });
  console.log(`seed ${seed}:`, { points: faults.points - before, ...counts });
  expect(broken, `SEED=${seed} repeats this workload`).toEqual([]);
});

test.runIf(SEED === undefined)(`faults could happen at ${POINTS} calls or more, and each kind did`, () => {
  console.log(faults.points, faults.injected);
  expect(faults.points).toBeGreaterThanOrEqual(POINTS);
  expect(Object.entries(faults.injected).filter(([, count]) => count === 0)).toEqual([]);
});
