import * as z from 'zod';
import { SignInIdParameter } from '../parameters.ts';
import { route } from '../route.ts';
import { ConnectInput } from '../settings/connect-settings.ts';

const group = { group: 'accounts', isExtension: true } as const;

/** Connecting accounts by a sign-in at their provider. The pages for browsers are no part of the API. */
export const connecting = {
  startConnecting: route('POST', '/v1/accounts/connect', {
    ...group,
    summary:
      'Makes an address at which you sign in at the provider of an app, within 10 minutes, to connect an account.',
    input: ConnectInput,
    example: { app: 'github', name: 'Work' },
    data: 'ConnectAddress',
    errors: [404, 409, 429],
  }),
  getConnectAttempt: route('GET', '/v1/accounts/connect/{attempt_id}', {
    ...group,
    summary: 'The state of a sign-in of an account. It can be read for 24 hours.',
    parameters: z.object({ attempt_id: SignInIdParameter }),
    data: 'ConnectAttempt',
  }),
};
