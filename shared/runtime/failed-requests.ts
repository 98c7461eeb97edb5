import { subscribe } from 'node:diagnostics_channel';
import { isDict } from './guards.ts';

/** A request as an HTTP client knows it. */
export interface SentRequest {
  method: unknown;
  url: unknown;
}

/** Requests by the error that ended them. `fetch` throws this error as the cause of its own. */
const requests = new WeakMap<object, SentRequest>();

/** From now on {@link requestOf} knows the requests of `fetch` that fail. */
export function watchFailedRequests(): void {
  subscribe('undici:request:error', (message) => {
    if (!isDict(message) || !isDict(message['error']) || !isDict(message['request'])) return;
    const { origin, path, method } = message['request'];
    requests.set(message['error'], { method, url: `${String(origin)}${String(path)}` });
  });
}

/** The request of `fetch` that this error ended. */
export const requestOf = (error: object): SentRequest | undefined => requests.get(error);
