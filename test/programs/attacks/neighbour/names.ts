import { setTimeout as passed } from 'node:timers/promises';
import type { NeighbourAttack } from './attack.ts';
import { SILENT_ZONE } from './silent-zone.ts';

const WEBHOOKS = 40;
const RUNS = 20;

/** Names of a zone whose server never answers. */
export const names: readonly NeighbourAttack[] = [
  {
    name: `${WEBHOOKS} webhooks and ${RUNS} runs that ask a silent zone`,
    async attack(attacker, signal) {
      const emitter = await attacker.source('this.$emit({ n: 1 });');
      const asking = await attacker.sources(
        RUNS,
        `for (let n = 0; n < 40; n += 1) lookup('s' + Math.random() + '.${SILENT_ZONE}').catch(() => 0); await new Promise((ok) => setTimeout(ok, 8_000));`,
        { imports: `import { lookup } from 'node:dns/promises';` },
      );
      for (let n = 0; n < WEBHOOKS; n += 1) {
        const id = await attacker.create('/webhooks', { url: `http://w${n}.${SILENT_ZONE}/` });
        await attacker.subscribe(emitter, id);
      }
      const waiting = asking.map((id) => attacker.run(id));
      let runs = 0;
      while (!signal.aborted) {
        if ((await attacker.run(emitter)).status === 200) runs += 1;
        await passed(1_000);
      }
      await Promise.all(waiting);
      return runs;
    },
  },
];
