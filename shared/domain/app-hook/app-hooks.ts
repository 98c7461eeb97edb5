import * as z from 'zod';
import type { AppHook } from './app-request.ts';
import { challengeIn, jsonResponse, textResponse } from './challenge.ts';
import { hmacHex, signatureProblem } from './signed-body.ts';
import { slackHook } from './slack.ts';
import { invalidField } from '../check.ts';

const ZoomEvent = z.object({ event: z.string() });
const UrlValidation = z.object({
  event: z.literal('endpoint.url_validation'),
  payload: z
    .object({ plainToken: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/) })
    .optional()
    .catch(undefined),
});

/** https://developers.zoom.us/docs/api/webhooks/#verify-webhook-events */
const zoomHook: AppHook = {
  secretField: 'webhook_secret_token',
  signatureProblem: signatureProblem({ signature: 'x-zm-signature', time: 'x-zm-request-timestamp' }),
  signedCheck({ text }, secret) {
    const asked = UrlValidation.safeParse(JSON.parse(text)).data;
    if (!asked) return undefined;
    // The response is made with the secret: of other text it would be the signature of an event.
    const plainToken = asked.payload?.plainToken;
    if (plainToken === undefined)
      throw invalidField('payload.plainToken', 'must have 1 to 128 letters, digits, _ and -');
    if (secret === undefined)
      throw invalidField(
        'webhook_secret_token',
        'is no field of the account of this source, and the response is made with it',
      );
    return jsonResponse({ plainToken, encryptedToken: hmacHex(secret, plainToken) });
  },
  names(event) {
    const read = ZoomEvent.safeParse(event).data;
    return read ? [read.event] : [];
  },
};

/** https://www.dropbox.com/developers/reference/webhooks */
const dropboxHook: AppHook = {
  secretField: 'app_secret',
  signatureProblem: signatureProblem({ signature: 'x-dropbox-signature' }),
  unsignedCheck: challengeIn('challenge', textResponse),
};

const StravaEvent = z.object({ object_type: z.string(), aspect_type: z.string() });

/** https://developers.strava.com/docs/webhooks/ */
const stravaHook: AppHook = {
  unsignedCheck: challengeIn('hub.challenge', (challenge) => jsonResponse({ 'hub.challenge': challenge })),
  names(event) {
    const read = StravaEvent.safeParse(event).data;
    return read ? [`${read.object_type}.${read.aspect_type}`] : [];
  },
};

const HOOKS: ReadonlyMap<string, AppHook> = new Map([
  ['slack', slackHook],
  ['slack_v2', slackHook],
  ['slack_bot', slackHook],
  ['zoom', zoomHook],
  ['zoom_admin', zoomHook],
  ['dropbox', dropboxHook],
  ['strava', stravaHook],
]);

/** An app that is not known here: its bodies are passed on as they are. */
const OTHER: AppHook = {};

export const appHookOf = (app: string | undefined): AppHook => HOOKS.get(app ?? '') ?? OTHER;

/** Endings of names that Pipedream adds. */
const OWN_ENDING = /\.(?:by|for)_me$/;

/**
 * Whether a hook that asks for these names gets the event. Without names, and from an app whose events have none, it
 * gets everything.
 */
export function fitsNames(app: string | undefined, eventNames: readonly string[], eventText: string): boolean {
  const { names } = appHookOf(app);
  if (eventNames.length === 0 || !names) return true;
  const own = new Set(eventNames.map((name) => name.replace(OWN_ENDING, '')));
  return names(JSON.parse(eventText)).some((name) => own.has(name));
}
