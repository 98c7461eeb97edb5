import { type Demand } from '../call.ts';
import { isObject, type FindTable, type Input } from './request.ts';
import { type Table } from './table.ts';

const TRANSACTED: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/**
 * What a caller must be allowed. Transactions need the actions of their entries:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function demandsOf(operation: string, input: Input, find: FindTable): Demand[] {
  switch (operation) {
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return unique(transacted(operation, input, find));
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(isObject(input.RequestItems) ? input.RequestItems : {}).map((name) => ({
        action: `dynamodb:${operation}`,
        resource: find(name).arn,
      }));
    default: {
      const table = find(input.TableName);
      const isOfIndex = typeof input.IndexName === 'string';
      const leadingKey = leadingKeyOf(input.Key ?? input.Item, table);
      return [
        {
          action: `dynamodb:${operation}`,
          resource: isOfIndex ? `${table.arn}/index/${String(input.IndexName)}` : table.arn,
          ...(leadingKey !== undefined && { context: { 'dynamodb:LeadingKeys': leadingKey } }),
        },
      ];
    }
  }
}

function* transacted(operation: string, input: Input, find: FindTable): Iterable<Demand> {
  for (const entry of Array.isArray(input.TransactItems) ? (input.TransactItems as unknown[]) : []) {
    for (const [kind, request] of Object.entries(isObject(entry) ? entry : {})) {
      const action = TRANSACTED[kind];
      if (action === undefined || !isObject(request)) continue;
      yield {
        action: `dynamodb:${action}`,
        resource: find(request.TableName).arn,
        context: { 'dynamodb:EnclosingOperation': operation },
      };
    }
  }
}

function unique(demands: Iterable<Demand>): Demand[] {
  const seen = new Map<string, Demand>();
  for (const demand of demands) seen.set(`${demand.action} ${demand.resource}`, demand);
  return [...seen.values()];
}

/** The hash key of the one item that is touched. */
function leadingKeyOf(key: unknown, table: Table): string | undefined {
  const value = isObject(key) ? key[table.keys.hash.name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
