import { createHash } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';
import type { UserId, WebhookId } from '../../domain/id.ts';

export interface CursorScope {
  list: 'sources' | 'webhooks' | 'components' | 'published components' | 'workflows' | 'accounts' | 'changes';
  ownerId: UserId;
}

/** The deliveries of one webhook, whatever the filters. */
interface DeliveryCursorScope {
  list: 'deliveries';
  ownerId: WebhookId;
}

type Scope = CursorScope | DeliveryCursorScope;

/** Opaque to callers: an item's id and a checksum over id, list and owner. */
export const encodeCursor = (scope: Scope, id: string): string =>
  Buffer.from(`${id}.${checksum(scope, id)}`).toString('base64url');

/** The id in a cursor. Throws `invalid_cursor` for a cursor of another list or user, and for a changed one. */
export function decodeCursor(scope: Scope, cursor: string, parameter: 'after' | 'before'): string {
  const [id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (encodeCursor(scope, id) === cursor) return id;
  throw badCursor(parameter, `must be a cursor from a response of this list of ${scope.list}`);
}

const badCursor = (parameter: 'after' | 'before', problem: string) =>
  new ServiceError('invalid_cursor', `The parameter ${parameter} ${problem}.`, {
    details: [{ path: parameter, message: problem }],
  });

/** Detects mistakes. Not a secret, because a cursor only gives access to the caller's own items. */
const checksum = ({ list, ownerId }: Scope, id: string): string =>
  createHash('sha256').update(`${list} ${ownerId} ${id}`).digest('base64url').slice(0, 12);
