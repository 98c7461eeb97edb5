import { randomUUID } from 'node:crypto';
import type { LoadedProgram } from '../closed-loop.ts';
import { callPeer, loadPeer, type RunningPeer } from './running-peer.ts';

/**
 * A Svix server with an application of this run: it stores, signs, delivers and repeats; it runs no code of users.
 * https://api.svix.com/docs
 */
export const svix =
  (peer: RunningPeer) =>
  (webhooks: number): Promise<LoadedProgram> =>
    loadPeer(peer, webhooks, async (urls) => {
      const uid = `bench-${randomUUID()}`;
      await callPeer(peer, 'POST', '/api/v1/app/', { name: uid, uid });
      for (const url of urls) await callPeer(peer, 'POST', `/api/v1/app/${uid}/endpoint/`, { url, version: 1 });
      return {
        path: `/api/v1/app/${uid}/msg/`,
        bodyOf: (event) => `{"eventType":"bench","payload":${event}}`,
      };
    });
