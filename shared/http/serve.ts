import { apiServices } from '../lambda/wiring/api-wiring.ts';
import { createAuthenticator } from './authentication.ts';
import type { Group } from './gateway-routes.ts';
import { createPausedChanges } from '../service/admission/paused-changes.ts';
import { createApiHandler, type HttpOptions, type Operation } from './http.ts';
import type { UserLookup } from '../store/users/users.ts';

/** The handler of one group's Lambda function. */
export function serve(
  group: Group,
  operations: Readonly<Record<string, Operation>>,
  authenticator: (users: UserLookup) => HttpOptions['authenticate'] = createAuthenticator,
) {
  const { users, marks, log, auditLog } = apiServices(group);
  const refusePausedChange = createPausedChanges(marks);
  return createApiHandler(operations, {
    authenticate: authenticator(users),
    refusePausedChange,
    log,
    addAudit: auditLog.add,
  });
}
