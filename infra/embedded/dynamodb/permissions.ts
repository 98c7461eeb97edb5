import type { Input, RequiredPermission } from '../call.ts';
import type { DynamoDbContext } from './context.ts';
import { isObject, type FindTable } from './request.ts';
import type { Table } from './rows/table.ts';

/** An action on the table. The hash key of the item is a condition key. */
export const itemPermission =
  (action: string) =>
  (input: Input, { find }: DynamoDbContext): readonly RequiredPermission[] => {
    const table = find(input['TableName']);
    const leadingKey = leadingKeyOf(input['Key'] ?? input['Item'], table);
    if (leadingKey === undefined) return [{ action, resource: table.arn }];
    return [{ action, resource: table.arn, context: { 'dynamodb:LeadingKeys': leadingKey } }];
  };

/** An action on the table. */
export const queryPermission =
  (action: string) =>
  (input: Input, { find }: DynamoDbContext): readonly RequiredPermission[] => [
    { action, resource: find(input['TableName']).arn },
  ];

/** An action on each table of a batch. */
export const batchPermission =
  (action: string) =>
  ({ RequestItems }: Input, { find }: DynamoDbContext): readonly RequiredPermission[] =>
    Object.keys(isObject(RequestItems) ? RequestItems : {}).map((name) => ({
      action,
      resource: find(name).arn,
    }));

const ENTRY_ACTIONS: Readonly<Record<string, string>> = {
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
};

/**
 * A transaction needs the actions of its entries:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export const transactionPermission =
  (operation: string) =>
  ({ TransactItems }: Input, { find }: DynamoDbContext): readonly RequiredPermission[] => {
    const permissions = new Map<string, RequiredPermission>();
    for (const entry of Array.isArray(TransactItems) ? (TransactItems as unknown[]) : []) {
      for (const { action, resource } of entryPermissions(entry, find)) {
        const context = { 'dynamodb:EnclosingOperation': operation };
        permissions.set(`${action} ${resource}`, { action, resource, context });
      }
    }
    return [...permissions.values()];
  };

function* entryPermissions(entry: unknown, find: FindTable): Iterable<RequiredPermission> {
  for (const [kind, request] of Object.entries(isObject(entry) ? entry : {})) {
    const action = ENTRY_ACTIONS[kind];
    if (action !== undefined && isObject(request)) yield { action, resource: find(request['TableName']).arn };
  }
}

function leadingKeyOf(key: unknown, table: Table): string | undefined {
  const value = isObject(key) ? key[table.keys.hash.name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
