import { VERSION } from './version.ts';

/** Marks in the table that say why the service is not well. Times are epoch ms. */
export interface ServiceMarks {
  /** The operator stopped the queues. */
  pausedAt?: number | undefined;
  /** Triggers wait and none runs, since this time. */
  stalledSince?: number | undefined;
}

export const PAUSED = 'The service is paused: it delivers nothing, runs nothing and fires no timer.';
const STALLED_MS = 5 * 60_000;

/** One sentence, or undefined when the service works. */
export function healthProblem({ pausedAt, stalledSince }: ServiceMarks, now: number): string | undefined {
  if (pausedAt !== undefined) return PAUSED;
  if (stalledSince === undefined || now - stalledSince < STALLED_MS) return undefined;
  return 'Triggers that may run have waited for more than 5 minutes.';
}

export const isHealthPath = (method: string | undefined, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === '/healthz' || path === '/healthz/');

/** Status, headers and body of `GET /healthz`, the same on every cloud. */
export function healthResponseOf(problem: string | undefined) {
  const state = problem === undefined ? { status: 'ok' } : { status: 'unavailable', reason: problem };
  return {
    status: problem === undefined ? 200 : 503,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ ...state, version: VERSION }),
  };
}
