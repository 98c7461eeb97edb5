import type { AppRequest, AppResponse } from './app-request.ts';
import { invalidField } from '../check.ts';

const VISIBLE = /^[\x21-\x7e]{1,256}$/;

/** A challenge that is sent back. Other text could become a page of the service's own host. */
export function visible(path: string, challenge: string): string {
  if (VISIBLE.test(challenge)) return challenge;
  throw invalidField(path, 'must have 1 to 256 visible ASCII characters');
}

/** The check of an address by a GET with this parameter. */
export const challengeIn =
  (parameter: string, respond: (challenge: string) => AppResponse) =>
  ({ method, query }: AppRequest): AppResponse | undefined => {
    const challenge = method === 'GET' ? query.get(parameter) : null;
    return challenge === null ? undefined : respond(visible(parameter, challenge));
  };

export const textResponse = (body: string): AppResponse => ({
  contentType: 'text/plain; charset=utf-8',
  body,
});

export const jsonResponse = (value: unknown): AppResponse => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});
