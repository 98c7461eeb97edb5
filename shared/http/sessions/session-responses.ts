import * as z from 'zod';
import { UserId } from '../../domain/id.ts';
import { Role } from '../../domain/person/person.ts';
import { Scope } from '../../domain/user/api-key.ts';
import { Milliseconds } from '../responses.ts';

const RoleOf = Role.describe('`owner`: all scopes; `viewer`: the scope `read`.');
const user = {
  id: UserId.describe('The id of the user.'),
  name: z.string().describe('The name of the user.'),
};

export const SessionResponse = z.strictObject({
  sign_in: z
    .strictObject({
      name: z.string().describe('The name of the identity provider.'),
      url: z.string().describe('The address at which a browser begins.'),
    })
    .nullable()
    .describe('How people sign in; null when they do not.'),
  session: z
    .strictObject({
      email: z.string().describe('The address of the person.'),
      name: z.string().nullable().describe('The name of the person, if the provider tells it.'),
      role: RoleOf,
      user: z.strictObject(user).describe('The user whose things the session shows.'),
      users: z.array(z.strictObject({ ...user, role: RoleOf })).describe('The users that the person may sign in as.'),
      scopes: z.array(Scope).describe('The rights of the session.'),
      csrf: z.string().describe('Changes need it in the header `x-csrf`.'),
      expires_at_ms: Milliseconds.describe('The time at which the session ends, in ms since the epoch.'),
    })
    .nullable()
    .describe('The session of the cookie; null without one, or when it has ended.'),
});

export const SignedOutResponse = z.strictObject({
  sign_out_url: z
    .string()
    .nullable()
    .describe('The address at which the person signs out at the identity provider, too; null without one.'),
});
