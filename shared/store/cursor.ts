import { createHash } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import type { UserId } from '../domain/id.ts';

/** The list and the user that a cursor belongs to. */
export interface CursorScope {
  list: 'sources' | 'webhooks';
  ownerId: UserId;
}

/** Opaque to callers: an item's id and a checksum over id, list and user. */
export const encodeCursor = (scope: CursorScope, id: string): string =>
  Buffer.from(`${id}.${checksum(scope, id)}`).toString('base64url');

/** The id in a cursor. Throws `invalid_cursor` for a cursor of another list or user, and for a changed one. */
export function decodeCursor(scope: CursorScope, cursor: string, parameter: 'after' | 'before'): string {
  const [id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (encodeCursor(scope, id) === cursor) return id;
  throw badCursor(parameter, `must be a cursor from a response of this list of ${scope.list}`);
}

const badCursor = (parameter: 'after' | 'before', problem: string) =>
  new ServiceError('invalid', 'invalid_cursor', `The parameter ${parameter} ${problem}.`, {
    details: [{ path: parameter, message: problem }],
  });

/** Detects mistakes. Not a secret, because a cursor only gives access to the caller's own items. */
const checksum = ({ list, ownerId }: CursorScope, id: string): string =>
  createHash('sha256').update(`${list} ${ownerId} ${id}`).digest('base64url').slice(0, 12);
