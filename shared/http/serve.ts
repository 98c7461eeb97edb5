import { dynamoClient } from '../aws/clients.ts';
import { usersOf } from '../store/users.ts';
import type { TableOptions } from '../store/table-client.ts';
import { authenticator } from './authentication.ts';
import { environment } from '../lambda/environment.ts';
import type { Group } from './gateway-routes.ts';
import { http, type Operation } from './http.ts';
import { createLog } from '../lambda/log.ts';

const env = environment('TABLE_NAME', 'LOG_LEVEL');

/** The table as every group of operations uses it. */
export const table: TableOptions = { dynamo: dynamoClient(), tableName: env.TABLE_NAME };

export const users = usersOf(table);

/** The handler of a group's function. */
export const serve = (group: Group, operations: Readonly<Record<string, Operation>>) =>
  http(operations, { authenticate: authenticator(users), log: createLog(env.LOG_LEVEL, group) });
