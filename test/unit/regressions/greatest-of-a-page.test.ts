import { afterEach, beforeEach, expect, test } from 'vitest';
import { emits, ended } from '../../support/world/script.ts';
import { type World, openWorld } from '../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

/** The warnings in `$logs` of one run that emits events with these ids, after runs with the earlier ones. */
async function warningsOf(
  dedupe: 'greatest' | 'unique',
  ...runs: readonly (readonly { id: number | string; ts?: number }[])[]
): Promise<string[][]> {
  const source = await stage.source({ dedupe });
  const warnings: string[][] = [];
  for (const metas of runs) {
    const before = (await stage.services.events.latest(source.id, '$logs')).length;
    stage.control.script = () => [...metas.map((meta) => emits(`{"id":"${meta.id}"}`, meta)), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    const logs = await stage.services.events.latest(source.id, '$logs');
    warnings.push(
      logs
        .slice(0, logs.length - before)
        .flatMap(({ json }) => (JSON.parse(json) as { lines: { msg: string }[] }).lines.map(({ msg }) => msg)),
    );
    stage.clock.advance(1_000);
  }
  return warnings;
}

const page = (...ids: readonly (number | string)[]) => ids.map((id) => ({ id }));

test('a page with the newest first, of which greatest drops all but one, says so once', async () => {
  const [first, second] = await warningsOf('greatest', page(5, 4, 3, 2, 1), page('9', '8', '7'));
  expect(first).toEqual([expect.stringContaining('emitted 1 event of this run and dropped 4')]);
  expect(second).toEqual([expect.stringContaining('dropped 2')]);
});

test.for([
  ['ascending ids', 'greatest', page(1, 2, 3)],
  [
    'the order that ts gives',
    'greatest',
    [
      { id: 3, ts: 3 },
      { id: 2, ts: 2 },
      { id: 1, ts: 1 },
    ],
  ],
  ['one id several times', 'greatest', page(5, 5, 5)],
  ['descending ids with unique', 'unique', page(3, 2, 1)],
] as const)('%s: no warning', async ([, dedupe, ids]) => {
  expect(await warningsOf(dedupe, ids)).toEqual([[]]);
});

test('a page with one new item among old ones is usual: no warning', async () => {
  expect((await warningsOf('greatest', page(1, 2, 3), page(4, 3, 2, 1)))[1]).toEqual([]);
});
