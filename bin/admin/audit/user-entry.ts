import { UserId } from '../../../shared/domain/id.ts';
import { idsIn } from '../../../shared/http/audit/ids-in.ts';
import type { Operator } from '../operator.ts';
import { type OperatorAction, shownOptions } from './audit-line.ts';

/** Adds a change that the operator made to the audit log of its user. A deleted user has no log. */
export async function addUserEntry(
  { auditLog, now }: Pick<Operator, 'auditLog' | 'now'>,
  { command, role, options }: OperatorAction,
  result: object,
): Promise<void> {
  const made: unknown = Reflect.get(result, 'id');
  const { data: userId } = UserId.safeParse(options['user'] ?? options['owner'] ?? made);
  if (userId === undefined || role === 'read' || command === 'users delete') return;
  const { user: _user, owner: _owner, ...shown } = shownOptions(options);
  await auditLog.add(userId, {
    at: now(),
    by: { kind: 'operator' },
    operation: `admin ${command}`,
    ids: idsIn([userId, made, ...Object.values(shown)]),
    after: Object.keys(shown).length === 0 ? undefined : JSON.stringify(shown),
    hidden: [],
    isShortened: false,
  });
}
