import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { Work } from '../programs/model/quiet.ts';
import { testAssembly } from '../support/cloud.ts';
import { operator } from '../support/operator.ts';
import { PASS, Scene } from '../support/scene.ts';
import { resourcesOf, type Template } from '../support/template.ts';

/** A message that Scheduler could not send was lost: a delayed emit, a late retry, a tick. */

const MINUTE = 60_000;
const made = testAssembly();
let template = made.template;
const assembly: Assembly = {
  ...made,
  get template() {
    return template;
  },
};

let clock: FakeClock;
let scene: Scene;
let work: Work;
beforeAll(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock, assembly });
  work = new Work(scene.cloud, clock);
});
afterAll(() => scene.close());

/** The template whose role of schedules may send to no queue of triggers. */
function withoutTriggers(): Template {
  const changed = structuredClone(made.template) as Template;
  for (const [id, { Properties }] of resourcesOf(changed, 'AWS::IAM::Role')) {
    if (!id.startsWith('SchedulesRole')) continue;
    for (const { PolicyDocument } of Properties['Policies'] as {
      PolicyDocument: { Statement: { Resource: unknown }[] };
    }[])
      PolicyDocument.Statement = PolicyDocument.Statement.filter(
        ({ Resource }) => !JSON.stringify(Resource).includes('"RunsQueue'),
      );
  }
  return changed;
}

async function deploy(changed: unknown): Promise<void> {
  template = changed;
  await scene.cloud.restart();
}

interface Letter {
  queue: string;
  kind: string;
  emitter?: string;
}

/** Runs a command; a long poll waits for the clock. */
async function run<T>(name: string, options: Record<string, string> = {}): Promise<T> {
  const stop = work.tick(() => 500);
  try {
    return await operator(scene.cloud)<T>(`dead-letters ${name}`, options);
  } finally {
    stop();
  }
}

test('messages that schedules may not send are dead letters, and a redrive brings back every one', async () => {
  const LATER = `export default {
    name: 'Later', version: '0.0.1', props: { http: '$.interface.http' },
    run() { this.$emit({ late: true }, { delivery_ts: ${clock.now() + 20 * MINUTE} }); },
  };`;
  const later = await scene.source(LATER);
  const poller = await scene.source(PASS.replace('version:', "props: { timer: '$.interface.timer' }, version:"), {
    configured_props: { timer: { cron: '30 12 * * *' } },
  });
  await scene.send(later.endpoint);
  await work.pass(MINUTE);
  await deploy(withoutTriggers());
  await work.pass(60 * MINUTE);
  expect((await scene.events(later.id)).length + (await scene.events(poller.id)).length).toBe(0);

  const letters = await run<Letter[]>('list', { queue: 'schedules' });
  expect(letters.map(({ queue, kind, emitter }) => [queue, kind, emitter]).sort()).toEqual([
    ['schedules', 'emit', later.id],
    ['schedules', 'run', poller.id],
  ]);

  await deploy(made.template);
  expect(await run('redrive', { queue: 'schedules' })).toEqual({ queue: 'schedules', redriven: 2 });
  await work.pass(MINUTE);
  expect((await scene.eventsOf(later.id, 1, { expand: 'event' })).map(({ event }) => event)).toEqual([{ late: true }]);
  const [tick, ...others] = await scene.eventsOf(poller.id, 1, { expand: 'event' });
  expect(others).toEqual([]);
  expect(tick?.event.timestamp).toBe(Date.UTC(2031, 2, 1, 12, 30) / 1_000);
  expect(await run('list')).toEqual([]);
});
