import * as z from 'zod';
import { UserId } from '../../domain/id.ts';
import { isConsolePath } from '../../domain/person/return-path.ts';
import { CALLBACK_PATH } from '../../domain/person/session-names.ts';
import { route } from '../route.ts';

const group = { group: 'accounts', isExtension: true, isPublic: true } as const;

const ConsolePath = z
  .string()
  .refine(isConsolePath, 'must be a path of the console, such as /console/sources')
  .describe('The page of the console to come back to.');

/** Sign-in of people to the console. */
export const sessions = {
  getSession: route('GET', '/v1/session', {
    ...group,
    summary: 'How people sign in here, and the session of the cookie. Browsers call it every 5 minutes.',
    data: 'Session',
    errors: [403],
  }),
  signIn: route('GET', '/v1/session/sign_in', {
    ...group,
    summary: 'Sends a browser to the identity provider of the operator.',
    input: z.object({
      return_to: ConsolePath.optional(),
      user: UserId.optional().describe('The user to sign in as, if the person has several.'),
    }),
    envelope: 'redirect',
  }),
  handleSignIn: route('GET', CALLBACK_PATH, {
    ...group,
    summary: 'Takes a browser back from the identity provider. It sets the cookie of a new session.',
    input: z.looseObject({}),
    envelope: 'redirect',
  }),
  signOut: route('DELETE', '/v1/session', {
    ...group,
    summary: 'Ends the session of the cookie.',
    data: 'SignedOut',
    errors: [401, 403],
  }),
};
