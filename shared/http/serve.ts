import { apiServices } from '../lambda/wiring/api-wiring.ts';
import { createAuthenticator } from './authentication.ts';
import type { Group } from './gateway-routes.ts';
import { createPausedChanges } from '../service/admission/paused-changes.ts';
import { createApiHandler, type Operation } from './http.ts';

/** The handler of one group's Lambda function. */
export function serve(group: Group, operations: Readonly<Record<string, Operation>>) {
  const { users, marks, log } = apiServices(group);
  const refusePausedChange = createPausedChanges(marks);
  return createApiHandler(operations, { authenticate: createAuthenticator(users), refusePausedChange, log });
}
