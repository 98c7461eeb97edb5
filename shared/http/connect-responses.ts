import * as z from 'zod';
import { AccountId, SignInId } from '../domain/id.ts';
import { Milliseconds } from './responses.ts';

export const ConnectAddressResponse = z.strictObject({
  url: z
    .string()
    .describe('Open it in a browser: it leads to the provider. It connects one account, for any person who has it.'),
  expires_at_ms: Milliseconds.describe('Time until which it can be opened, in ms since the epoch.'),
  attempt_id: SignInId.describe('The id of the sign-in, for `GET /accounts/connect/{attempt_id}`.'),
});

export const SignInResponse = z.strictObject({
  status: z
    .enum(['waiting', 'connected', 'refused', 'expired'])
    .describe('`waiting` until the sign-in is confirmed. After `refused` the address can be opened again.'),
  account_id: AccountId.optional().describe('The account; only when `connected`.'),
  reason: z.string().optional().describe('Why the last sign-in failed; only when `refused`.'),
});
