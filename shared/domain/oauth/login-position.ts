import * as z from 'zod';
import { OAuthClientId } from '../id.ts';

/** A login in the order of all logins: by client, then by its key in the table. */
export const LoginPosition = z.object({ client: OAuthClientId, key: z.string() });
export type LoginPosition = z.infer<typeof LoginPosition>;
