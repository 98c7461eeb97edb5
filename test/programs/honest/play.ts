import { until } from '../../support/until.ts';
import type { HonestUser } from './user.ts';
import type { PreparedWork, Work } from './work.ts';

export interface Outcome {
  work: string;
  /** The first of the events that did not arrive, and their number. */
  missing: string;
  /** Codes of events in `$errors` of its sources. */
  errors: string;
}

/** Does some work at once. `meanwhile` happens in the middle of it. */
export async function play(
  user: HonestUser,
  works: readonly Work[],
  { meanwhile, withinMs }: { meanwhile: () => Promise<void>; withinMs: number },
): Promise<Outcome[]> {
  const prepared: { name: string; work: PreparedWork }[] = [];
  try {
    for (const { name, prepare } of works) prepared.push({ name, work: await prepare(user) });
    await Promise.all([...prepared.map(({ work }) => work.run()), meanwhile()]);
    await until('everything has arrived', () => prepared.every(({ work }) => work.missing().length === 0), {
      withinMs,
      everyMs: 100,
    }).catch(() => undefined);
    return await Promise.all(
      prepared.map(async ({ name, work }) => {
        const missing = work.missing();
        const errors = await Promise.all(work.sourceIds.map((id) => user.errorsOf(id)));
        return {
          work: name,
          missing: missing.length === 0 ? '' : `${missing.length}: ${missing.slice(0, 5).join(', ')}`,
          errors: errors.flat().join(', '),
        };
      }),
    );
  } finally {
    for (const { work } of prepared) await work.stop();
  }
}
