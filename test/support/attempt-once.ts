import { type Attempter, destinationOf, type HttpAttempt, type HttpOutcome } from '../../shared/aws/http-attempt.ts';
import type { DeliverToTarget } from '../../shared/aws/targets/deliver-to-target.ts';

export const noTargets: DeliverToTarget = () => Promise.reject(new Error('The test has no target'));

/** Makes one attempt. Rejects if it fails, and never ends if `begin` returns no headers. */
export const attemptOnce = (attempt: Attempter, url: string, more: Partial<HttpAttempt> = {}): Promise<HttpOutcome> =>
  new Promise((resolve, reject) => {
    attempt({
      destination: destinationOf(url),
      ownerId: 'u_1',
      body: Buffer.from('{}'),
      timeoutMs: 10_000,
      keepsResponse: true,
      begin: () => [],
      end: resolve,
      fail: reject,
      ...more,
    });
  });
