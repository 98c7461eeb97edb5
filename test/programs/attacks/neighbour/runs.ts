import { setTimeout as passed } from 'node:timers/promises';
import type { NeighbourAttack } from './attack.ts';

const SOURCES = 8;
/** 15 MB in each run, for next year. */
const DELAYED = `
  const delivery_ts = Date.now() + 300 * 86_400_000;
  for (let n = 0; n < 15; n += 1) this.$emit({ n, text: 'x'.repeat(1_000_000) }, { delivery_ts });
`;
/** A heap of 512 MB was full after 18. */
const MAX_RUNS = 21;

/** Runs whose effects outlive or multiply them. */
export const runs: readonly NeighbourAttack[] = [
  {
    name: 'emits of next year',
    async attack(attacker, signal) {
      const ids = await attacker.sources(3, DELAYED);
      let runs = 0;
      while (!signal.aborted) {
        if (runs < MAX_RUNS) {
          const outcomes = await Promise.all(ids.map((id) => attacker.run(id)));
          runs += outcomes.filter(({ status }) => status === 200).length;
        }
        await passed(800);
      }
      return runs;
    },
  },
  {
    name: `a complete graph of ${SOURCES} sources`,
    async attack(attacker, signal) {
      const ids = await attacker.sources(SOURCES, 'this.$emit(event);');
      for (const emitter of ids)
        await Promise.all(ids.filter((id) => id !== emitter).map((listener) => attacker.subscribe(emitter, listener)));
      let runs = 0;
      for (let second = 0; !signal.aborted; second += 1) {
        if (second % 8 === 0 && (await attacker.run(ids[0] ?? '', { n: second })).status === 200) runs += 1;
        await passed(1_000);
      }
      return runs;
    },
  },
];
