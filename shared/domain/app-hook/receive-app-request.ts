import { ServiceError } from '../errors.ts';
import type { AppRequest, AppResponse } from './app-request.ts';
import { appHookOf, fitsNames } from './app-hooks.ts';

/** The app hook of a source, as its endpoint uses it. */
export interface OpenAppHook {
  /** Undefined when no app prop belongs to it. */
  app: string | undefined;
  eventNames: readonly string[];
  /** Undefined when the account has none: requests are then taken unchecked. */
  secret: string | undefined;
}

/** The response to a check of the address, or the event; neither when the component did not ask for the event. */
export type ReceivedAppRequest = { response: AppResponse } | { eventText: string | undefined };

/** Throws `wrong_signature` for a request that the app did not sign. */
export function receiveAppRequest(
  { app, eventNames, secret }: OpenAppHook,
  request: AppRequest,
  now: number,
): ReceivedAppRequest {
  const hook = appHookOf(app);
  const unsigned = hook.unsignedCheck?.(request);
  if (unsigned) return { response: unsigned };
  const problem = secret === undefined ? undefined : hook.signatureProblem?.(request, secret, now);
  if (problem !== undefined) throw new ServiceError('wrong_signature', problem);
  const signed = hook.signedCheck?.(request, secret);
  if (signed) return { response: signed };
  const eventText = hook.eventText?.(request) ?? request.text;
  return { eventText: fitsNames(app, eventNames, eventText) ? eventText : undefined };
}
