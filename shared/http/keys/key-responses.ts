import * as z from 'zod';
import { ApiKeyId, UserId } from '../../domain/id.ts';
import { Scope } from '../../domain/user/api-key.ts';
import { createdAt, timeOrNull } from '../responses.ts';

export const KeyResponse = z.strictObject({
  id: ApiKeyId.describe('The id of the key. It is no secret.'),
  name: z.string().describe('A name that says the purpose of the key.'),
  scopes: z.array(Scope).describe('The rights of the key. No scope includes another one.'),
  expires_at_ms: timeOrNull('at which the key ends', 'for never'),
  last_used_ms: timeOrNull('of a use within an hour before the last one', 'before the first use'),
  overlap_until_ms: timeOrNull('until which the secret before the last rotation works', 'when it does not'),
  is_current: z.boolean().describe('Whether the request was made with this key.'),
  created_at: createdAt,
});
export const NewKeyResponse = KeyResponse.extend({
  api_key: z.string().describe('The key: send it as `Authorization: Bearer`. No later response shows it.'),
});
export const CurrentKeyResponse = KeyResponse.extend({
  user_id: UserId.describe('The id of its user.'),
  username: z.string().describe('The name of its user.'),
});
