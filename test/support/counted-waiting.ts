import { BEHIND_AFTER_MS } from '../../shared/domain/run/backlog-limits.ts';
import { backlogWorld } from './world/backlog.ts';
import { ended } from './world/script.ts';
import { sampleBody } from './sample-bodies.ts';

export interface CountedWaiting {
  /** Per trigger, in addition to those of the same trigger in a full batch of a source that is not behind. */
  writeUnits: number;
  readUnits: number;
}

const TRIGGERS = 1_000;

/** Lets triggers wait in a backlog and run, and counts what they use more than without it. */
export async function countedWaiting(): Promise<CountedWaiting> {
  const world = await backlogWorld();
  try {
    const source = await world.source();
    world.control.script = () => [ended()];
    const body = sampleBody('order');
    const used = async (waitMs: number) => {
      const before = { ...world.units };
      for (let n = 0; n < TRIGGERS; n += 1)
        world.send(world.trigger(source, { bodyRaw: String(body(n)) }, { cause: 'http' }));
      world.clock.advance(waitMs);
      while (world.groups.source.length > 0) await world.step('source');
      await world.settle();
      const { write, read } = world.units;
      return { write: write - before.write, read: read - before.read };
    };
    const quick = await used(0);
    const behind = await used(BEHIND_AFTER_MS);
    return {
      writeUnits: (behind.write - quick.write) / TRIGGERS,
      readUnits: (behind.read - quick.read) / TRIGGERS,
    };
  } finally {
    await world.close();
  }
}
