import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import { type Faults, noFaults } from '../../../infra/embedded/faults.ts';
import { Work } from '../../programs/model/quiet.ts';
import { ECHO, type Deployed, type Hook, Scene } from '../../support/scene.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

interface Letter {
  queue: string;
  message: string;
  sent_at_ms: number;
  kind: string;
  emitter?: string;
}

const HOUR = 3_600_000;

/** The function whose calls of the table fail. */
let outOfReach: string | undefined;
const faults: Faults = {
  ...noFaults,
  ofCall: ({ caller, service }) =>
    outOfReach !== undefined && service === 'DynamoDB' && caller.startsWith(outOfReach) ? 'failed' : undefined,
};

let clock: FakeClock;
let scene: Scene;
let work: Work;
let admin: OperatorAtWork;
let source: Deployed;
let hook: Hook;
beforeEach(async () => {
  outOfReach = undefined;
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock, faults });
  work = new Work(scene.cloud, clock);
  admin = await operatorThroughSocket(scene.cloud);
  source = await scene.source(ECHO);
  hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
});
afterEach(async () => {
  await admin.close();
  await scene.close();
});

/** A long poll waits for the clock. */
async function ticking<T>(command: () => Promise<T>): Promise<T> {
  const stop = work.tick(() => 500);
  try {
    return await command();
  } finally {
    stop();
  }
}
const run = (...argv: string[]) => ticking(() => admin.run(['dead-letters', ...argv]));
const listText = () => ticking(() => admin.text(['dead-letters', 'list']));
const list = async (...argv: string[]) => (await run('list', ...argv)).json as Letter[];

/** Messages that the function does not complete for two days become dead letters, one of a source after the other. */
async function deadLettersOf(functionName: string, ...bodies: object[]): Promise<void> {
  outOfReach = functionName;
  for (const body of bodies) await scene.send(source.endpoint, body);
  await work.pass(48 * HOUR);
  outOfReach = undefined;
}

test('a trigger that failed 20 times is listed by its ids, without its event; show prints it whole', async () => {
  await deadLettersOf('RunSource', { text: 'private' });
  const { json } = await run('list');
  const text = await listText();
  const [letter] = json as Letter[];
  expect(json).toEqual([
    {
      queue: 'runs',
      message: expect.any(String) as string,
      sent_at_ms: expect.any(Number) as number,
      reason: 'failed',
      kind: 'run',
      trigger: expect.stringMatching(/^http-/) as string,
      emitter: source.id,
    },
  ]);
  expect(text.split('\t').slice(0, 2)).toEqual(['runs', letter?.message]);
  expect(text + JSON.stringify(json)).not.toContain('private');
  const whole = await run('show', '--queue', 'runs', '--message', letter?.message ?? '');
  expect(whole.json).toMatchObject({ ...letter, body: expect.stringContaining('private') as string });
  expect(await list()).toHaveLength(1);
});

test.each([
  ['RunSource', 'runs'],
  ['DeliverEvent', 'deliveries'],
])(
  'redrive brings back what %s could not do: every event is delivered, and no dead letter is left',
  async (name, queue) => {
    const bodies = Array.from({ length: 12 }, (_, n) => ({ n }));
    await deadLettersOf(name, ...bodies);
    expect(hook.receiver.received).toEqual([]);
    expect(new Set((await list()).map((letter) => letter.queue))).toEqual(new Set([queue]));
    const { json } = await run('redrive', '--queue', queue);
    expect(json).toEqual({ queue, redriven: bodies.length });
    await work.pass(HOUR);
    const delivered = hook.receiver.bodies.map((body) => (body as { n: number }).n);
    expect(new Set(delivered)).toEqual(new Set(bodies.map(({ n }) => n)));
    expect(await list()).toEqual([]);
    expect((await scene.events(source.id)).length).toBe(bodies.length);
  },
);

test('redrive and drop take one message, and leave the others', async () => {
  await deadLettersOf('RunSource', { n: 0 }, { n: 1 }, { n: 2 });
  const [first, second] = await list('--queue', 'runs');
  await run('redrive', '--queue', 'runs', '--message', second?.message ?? '');
  await work.pass(HOUR);
  expect(hook.receiver.bodies).toEqual([{ n: 1 }]);
  expect((await run('drop', '--queue', 'runs', '--message', first?.message ?? '')).json).toEqual({
    queue: 'runs',
    dropped: 1,
  });
  expect(await list()).toHaveLength(1);
  expect((await run('drop', '--queue', 'runs', '--message', 'all')).json).toMatchObject({ dropped: 1 });
  expect(await list()).toEqual([]);
  await work.pass(HOUR);
  expect(hook.receiver.bodies).toEqual([{ n: 1 }]);
});

test('a sentence says what cannot be done', async () => {
  await expect(run('show', '--queue', 'runs', '--message', 'x')).rejects.toThrow(
    new Error(
      'There is no message x among the dead letters of runs. Only the first 10 of each source can be read: redrive or drop those to read the next ones.',
    ),
  );
  await expect(run('redrive', '--queue', 'other')).rejects.toThrow(
    new Error('--queue must be one of runs, deliveries, retries, timers, schedules.'),
  );
  await expect(run('drop', '--queue', 'runs')).rejects.toThrow(new Error('--message is needed.'));
  expect(await listText()).toBe('There are no dead letters.\n');
});
