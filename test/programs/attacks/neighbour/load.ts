import { Agent } from 'node:http';
import { setTimeout as passed } from 'node:timers/promises';
import { type NeighbourAttack, untilAborted } from './attack.ts';

const CONCURRENT = 200;
/** Sources whose runs loop at the same time. */
const LOOPS = 4;
const BOMBS = 4;
const EMITS = 10_000;

/** Plain load of one user. */
export const load: readonly NeighbourAttack[] = [
  {
    name: '200 concurrent requests',
    isOrdinary: true,
    async attack(attacker, signal) {
      const agent = new Agent({ keepAlive: true });
      let answered = 0;
      await Promise.all(
        Array.from({ length: CONCURRENT }, async () => {
          while (!signal.aborted) {
            const { status } = await attacker.send('GET', '/users/me/sources', undefined, agent);
            if (status === 200) answered += 1;
          }
        }),
      );
      agent.destroy();
      return answered;
    },
  },
  {
    name: 'busy loops',
    async attack(attacker, signal) {
      const ids = await attacker.sources(LOOPS, 'const end = Date.now() + 10_000; while (Date.now() < end);');
      await Promise.all(ids.map((id) => attacker.run(id)));
      await untilAborted(signal);
      return ids.length;
    },
  },
  {
    name: 'memory bombs',
    async attack(attacker, signal) {
      const ids = await attacker.sources(BOMBS, 'const a = []; for (;;) a.push(Buffer.alloc(1e6, 1));');
      let runs = 0;
      while (!signal.aborted) {
        await Promise.all(ids.map((id) => attacker.run(id)));
        runs += ids.length;
        await passed(1_000);
      }
      return runs;
    },
  },
  {
    name: '10,000 emits of a run',
    isOrdinary: true,
    async attack(attacker, signal) {
      const webhook = await attacker.countingWebhook();
      const id = await attacker.source(
        `for (let n = 0; n < ${EMITS}; n += 1) this.$emit({ n, text: 'x'.repeat(100) });`,
      );
      await attacker.subscribe(id, webhook.id);
      for (let runs = 1; !signal.aborted; runs += 1) {
        await attacker.run(id);
        while (!signal.aborted && webhook.received() < runs * EMITS) await passed(100);
      }
      webhook.stop();
      return webhook.received();
    },
  },
];
