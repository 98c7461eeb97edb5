import { timeOfId } from '../../domain/id.ts';
import type { ListedKey } from '../../service/keys/current-keys.ts';
import { seconds } from '../show/show.ts';

export const showKey = ({ id, name, scopes, validUntil, lastUsedAt, overlapUntil, isCurrent }: ListedKey) => ({
  id,
  name,
  scopes,
  expires_at_ms: validUntil ?? null,
  last_used_ms: lastUsedAt ?? null,
  overlap_until_ms: overlapUntil ?? null,
  is_current: isCurrent,
  created_at: seconds(timeOfId(id)),
});
