import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import { until } from '../../../support/until.ts';
import type { NeighbourAttack } from './attack.ts';
import type { Attacker } from './attacker.ts';

const TABS = 60;
const HANGING_UP = 50;
const HANGS_UP_AFTER_MS = 30;
const EVENTS = 40;

/** Each is an object of the bucket. */
const LARGE = `for (let n = 0; n < 10; n += 1) this.$emit({ n, text: 'x'.repeat(210_000) });`;
const NOTHING = encodeURIComponent(JSON.stringify({ n: [-1] }));

/** Takes seconds for an event with thousands of objects. */
const COSTLY = { o: { $or: Array.from({ length: 200 }, (_, n) => ({ [`x${n}`]: [1] })) } };
const MANY_OBJECTS = `this.$emit({ o: Array.from({ length: 100_000 }, () => ({})) });`;

/** A source with {@link EVENTS} large events. */
async function filled(attacker: Attacker): Promise<string> {
  const id = await attacker.source(LARGE);
  for (let n = 0; n < EVENTS / 10; n += 1) await attacker.run(id);
  await until('all are stored', async () => {
    const { text } = await attacker.send('GET', `/sources/${id}/event_summaries?limit=100`);
    return text.includes(`"count":${EVENTS}`);
  });
  return id;
}

/** Reads of large events, and filters of them. */
export const reads: readonly NeighbourAttack[] = [
  {
    name: `${TABS} tabs that filter large events`,
    async attack(attacker, signal) {
      const id = await filled(attacker);
      const agent = new Agent({ keepAlive: true });
      let answered = 0;
      const tab = async () => {
        while (!signal.aborted) {
          const path = `/sources/${id}/event_summaries?filter=${NOTHING}`;
          const { status } = await attacker.send('GET', path, undefined, agent);
          if (status === 200) answered += 1;
        }
      };
      const tabs = Promise.all(Array.from({ length: TABS }, tab));
      while (!signal.aborted) await passed(100);
      // Requests that wait for others would hold the attack for their whole time.
      agent.destroy();
      await tabs;
      return answered;
    },
  },
  {
    name: `replays that nothing passes, for ${HANGING_UP} clients that hang up`,
    async attack(attacker, signal) {
      const id = await filled(attacker);
      const { hostname, port } = new URL(attacker.service.base);
      let sent = 0;
      const client = async () => {
        while (!signal.aborted) {
          const socket = connect(Number(port), hostname);
          socket.on('error', () => undefined).resume();
          socket.write(
            `GET /v1/sources/${id}/sse?last_event_id=0-0&filter=${NOTHING} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker.key}\r\n\r\n`,
          );
          sent += 1;
          await passed(HANGS_UP_AFTER_MS);
          socket.destroy();
        }
      };
      await Promise.all(Array.from({ length: HANGING_UP }, client));
      return sent;
    },
  },
  {
    name: 'filters of subscriptions that take seconds for an event',
    async attack(attacker, signal) {
      const id = await attacker.source(MANY_OBJECTS);
      const webhook = await attacker.countingWebhook();
      await attacker.create('/subscriptions', {
        emitter_id: id,
        listener_id: webhook.id,
        filter: COSTLY,
      });
      let runs = 0;
      while (!signal.aborted) {
        if ((await attacker.run(id)).status === 200) runs += 1;
        await passed(500);
      }
      webhook.stop();
      return runs;
    },
  },
];
