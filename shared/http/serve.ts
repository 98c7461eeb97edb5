import { dynamoClient } from '../aws/clients.ts';
import { userLookup } from '../store/users.ts';
import type { TableOptions } from '../store/table-client.ts';
import { createAuthenticator } from './authentication.ts';
import { environment } from '../lambda/environment.ts';
import type { Group } from './gateway-routes.ts';
import { createApiHandler, type Operation } from './http.ts';
import { createLog } from '../lambda/log.ts';

const env = environment('TABLE_NAME', 'LOG_LEVEL');

/** The table as every group of operations uses it. */
export const table: TableOptions = { dynamo: dynamoClient(), tableName: env.TABLE_NAME };

export const users = userLookup(table);

/** The handler of a group's function. */
export const serve = (group: Group, operations: Readonly<Record<string, Operation>>) =>
  createApiHandler(operations, {
    authenticate: createAuthenticator(users),
    log: createLog(env.LOG_LEVEL, group),
  });
