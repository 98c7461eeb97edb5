import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine, OTHER, TABLE, type OpenEngine } from '../../../contract/dynamodb/targets.ts';

describe('the required permission', () => {
  let engine: OpenEngine;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine.close());

  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TABLE}`;
  const required = (operation: string, input: object) =>
    engine.service.requiredPermissions(operation, { TableName: TABLE, ...input });
  const permission = (operation: string) => [
    { action: `dynamodb:${operation}`, resource: arn, context: { 'dynamodb:LeadingKeys': 'p' } },
  ];

  it.each(['GetItem', 'UpdateItem', 'DeleteItem'])(
    'of %s is on the table, with the hash key of the item',
    (operation) => {
      expect(required(operation, { Key: { pk: 'p', sk: 's' } })).toEqual(permission(operation));
    },
  );

  it('of PutItem is on the table, with the hash key of the item', () => {
    expect(required('PutItem', { Item: { pk: 'p', sk: 's', other: 1 } })).toEqual(permission('PutItem'));
  });

  it('of Query is on the table', () => {
    expect(required('Query', {})).toEqual([{ action: 'dynamodb:Query', resource: arn }]);
  });

  it.each(['BatchGetItem', 'BatchWriteItem'])('of %s is on each table', (operation) => {
    const found = required(operation, { RequestItems: { [TABLE]: {}, [OTHER]: {} } });
    expect(found).toEqual([
      { action: `dynamodb:${operation}`, resource: arn },
      { action: `dynamodb:${operation}`, resource: arn.replace(TABLE, OTHER) },
    ]);
  });

  it('of a transaction are the permissions of its entries, each once', () => {
    const entry = { TableName: TABLE };
    const TransactItems = [
      { Put: entry },
      { Put: entry },
      { Update: entry },
      { Delete: entry },
      { ConditionCheck: entry },
    ];
    const context = { 'dynamodb:EnclosingOperation': 'TransactWriteItems' };
    expect(required('TransactWriteItems', { TransactItems })).toEqual(
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((action) => ({
        action: `dynamodb:${action}`,
        resource: arn,
        context,
      })),
    );
  });

  it('cannot be named for a table that does not exist', () => {
    expect(() => required('GetItem', { TableName: 'nowhere', Key: {} })).toThrow('Requested resource not found');
  });
});
