import { apiServices } from '../lambda/wiring/api-wiring.ts';
import { createAuthenticator } from './authentication.ts';
import type { Group } from './gateway-routes.ts';
import { createPausedChanges } from '../service/admission/paused-changes.ts';
import { createApiHandler, type HttpOptions, type Operation } from './http.ts';
import { createSessionAuthenticator } from './sessions/session-authentication.ts';
import type { UserLookup } from '../store/users/users.ts';

/** The handler of one group's Lambda function. */
export function serve(
  group: Group,
  operations: Readonly<Record<string, Operation>>,
  authenticator: (users: UserLookup) => HttpOptions['authenticate'] = createAuthenticator,
) {
  const { marks, log, auditLog, ...sessionContext } = apiServices(group);
  const refusePausedChange = createPausedChanges(marks);
  return createApiHandler(operations, {
    authenticate: createSessionAuthenticator(authenticator(sessionContext.users), sessionContext),
    refusePausedChange,
    log,
    addAudit: auditLog.add,
  });
}
