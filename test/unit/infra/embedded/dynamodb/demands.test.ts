import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INDEX, openEngine, NUMBERED, TABLE, type OpenEngine } from '../../../contract/dynamodb/targets.ts';

describe('a caller must be allowed', () => {
  let engine: OpenEngine;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine.close());

  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TABLE}`;
  const demands = (operation: string, input: object) =>
    engine.service.demands(operation, { TableName: TABLE, ...input });

  it.each(['GetItem', 'UpdateItem', 'DeleteItem'])(
    'the action of its name on the table for %s',
    (operation) => {
      expect(demands(operation, { Key: { pk: 'p', sk: 's' } })).toEqual([
        { action: `dynamodb:${operation}`, resource: arn, context: { 'dynamodb:LeadingKeys': 'p' } },
      ]);
    },
  );

  it('Query on the index when it queries an index', () => {
    expect(demands('Query', {})).toEqual([{ action: 'dynamodb:Query', resource: arn }]);
    expect(demands('Query', { IndexName: INDEX })).toEqual([
      { action: 'dynamodb:Query', resource: `${arn}/index/${INDEX}` },
    ]);
  });

  it.each(['BatchGetItem', 'BatchWriteItem'])('%s on each table', (operation) => {
    const found = demands(operation, { RequestItems: { [TABLE]: {}, [NUMBERED]: {} } });
    expect(found).toEqual([
      { action: `dynamodb:${operation}`, resource: arn },
      { action: `dynamodb:${operation}`, resource: arn.replace(TABLE, NUMBERED) },
    ]);
  });

  it('for a transaction what its entries need, each once', () => {
    const entry = { TableName: TABLE };
    const TransactItems = [
      { Put: entry },
      { Put: entry },
      { Update: entry },
      { Delete: entry },
      { ConditionCheck: entry },
    ];
    expect(demands('TransactWriteItems', { TransactItems }).map(({ action }) => action)).toEqual([
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
    ]);
    expect(demands('TransactGetItems', { TransactItems: [{ Get: entry }] })).toMatchObject([
      {
        action: 'dynamodb:GetItem',
        resource: arn,
        context: { 'dynamodb:EnclosingOperation': 'TransactGetItems' },
      },
    ]);
  });

  it('nothing on a table that does not exist: that is refused', () => {
    expect(() => demands('GetItem', { TableName: 'nowhere', Key: {} })).toThrow(
      'Requested resource not found',
    );
  });
});
