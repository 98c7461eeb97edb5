import { randomUUID } from 'node:crypto';
import type { LoadedProgram } from '../closed-loop.ts';
import { callPeer, loadPeer, type RunningPeer } from './running-peer.ts';

/** A topic of the running Outpost: its setting `TOPICS` has it. */
const TOPIC = 'bench';

/**
 * An Outpost with a tenant of this run: it stores, signs, delivers and repeats; it runs no code of users.
 * https://hookdeck.com/docs/outpost/api
 */
export const outpost =
  (peer: RunningPeer) =>
  (webhooks: number): Promise<LoadedProgram> =>
    loadPeer(peer, webhooks, async (urls) => {
      const tenant = `bench-${randomUUID()}`;
      await callPeer(peer, 'PUT', `/api/v1/tenants/${tenant}`, {});
      for (const url of urls) {
        const destination = { type: 'webhook', topics: [TOPIC], config: { url } };
        await callPeer(peer, 'POST', `/api/v1/tenants/${tenant}/destinations`, destination);
      }
      return {
        path: '/api/v1/publish',
        bodyOf: (event) => `{"tenant_id":"${tenant}","topic":"${TOPIC}","eligible_for_retry":true,"data":${event}}`,
      };
    });
