import { createHash } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import type { UserId } from '../domain/id.ts';

/** A list that is paged: whose, and of what. */
export interface CursorScope {
  list: 'sources' | 'webhooks';
  ownerId: UserId;
}

/** Opaque to callers: the id of an item, and a seal that ties it to its list and user. */
export const encodeCursor = (scope: CursorScope, id: string): string =>
  Buffer.from(`${id}.${seal(scope, id)}`).toString('base64url');

/** The id on which a page began or ended; a cursor of another list or user, or one that was tampered with, is refused. */
export function decodeCursor(scope: CursorScope, cursor: string, parameter: 'after' | 'before'): string {
  const [id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (encodeCursor(scope, id) === cursor) return id;
  throw badCursor(parameter, `must be a cursor that this list of ${scope.list} answered with`);
}

const badCursor = (parameter: 'after' | 'before', problem: string) =>
  new ServiceError('invalid', 'invalid_cursor', `The parameter ${parameter} ${problem}.`, {
    details: [{ path: parameter, message: problem }],
  });

/** No secret: what it guards is the caller's own. It tells mistakes apart from cursors. */
const seal = ({ list, ownerId }: CursorScope, id: string): string =>
  createHash('sha256').update(`${list} ${ownerId} ${id}`).digest('base64url').slice(0, 12);
