import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { expectInvalid } from './refusal.ts';
import { describeEach, everywhere, TABLE } from './targets.ts';

type Values = Record<string, unknown>;

describeEach(everywhere, (db) => {
  const newKey = () => ({ pk: randomUUID(), sk: 'a' });

  async function update(
    before: Values,
    UpdateExpression: string,
    values?: Values,
    rest: Partial<UpdateCommandInput> = {},
  ) {
    const key = newKey();
    await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, ...before } }));
    const { Attributes } = await db().send(
      new UpdateCommand({
        TableName: TABLE,
        Key: key,
        UpdateExpression,
        ...(values && { ExpressionAttributeValues: values }),
        ReturnValues: 'ALL_NEW',
        ...rest,
      }),
    );
    const { Item = {} } = await db().send(new GetCommand({ TableName: TABLE, Key: key, ConsistentRead: true }));
    const after = Object.fromEntries(Object.entries(Item).filter(([each]) => !(each in key)));
    return { after, Attributes, key };
  }

  describe('an update', () => {
    const names = (ExpressionAttributeNames: Record<string, string>) => ({ ExpressionAttributeNames });
    const cases: [
      expression: string,
      before: Values,
      values: Values | undefined,
      after: Values,
      rest?: Partial<UpdateCommandInput>,
    ][] = [
      ['SET a = :v', {}, { ':v': [1] }, { a: [1] }],
      ['set a = :v, b = :v', { a: 1 }, { ':v': 2 }, { a: 2, b: 2 }],
      ['SET a = b, b = a', { a: 1, b: 2 }, undefined, { a: 2, b: 1 }],
      ['SET a = if_not_exists(a, :v)', {}, { ':v': 5 }, { a: 5 }],
      ['SET a = if_not_exists(a, :v)', { a: null }, { ':v': 5 }, { a: null }],
      ['SET m.b.c = :v', { m: { b: { d: 1 } } }, { ':v': 2 }, { m: { b: { d: 1, c: 2 } } }],
      ['REMOVE a, m.b', { a: 1, m: { b: 1, c: 1 } }, undefined, { m: { c: 1 } }],
      ['REMOVE a', {}, undefined, {}],
      ['ADD a :v', {}, { ':v': 2 }, { a: 2 }],
      ['ADD a :v', { a: 40 }, { ':v': 2 }, { a: 42 }],
      ['ADD a :v', { a: new Set(['x']) }, { ':v': new Set(['x', 'y']) }, { a: new Set(['x', 'y']) }],
      ['ADD m.a :v', { m: {} }, { ':v': 2 }, { m: { a: 2 } }],
      ['DELETE a :v', { a: new Set(['x', 'y']) }, { ':v': new Set(['x', 'z']) }, { a: new Set(['y']) }],
      ['DELETE a :v', { a: new Set(['x']), b: 1 }, { ':v': new Set(['x']) }, { b: 1 }],
      ['DELETE a :v', {}, { ':v': new Set(['x']) }, {}],
      [
        'SET a = :v REMOVE b ADD c :n DELETE d :s',
        { b: 1, d: new Set(['x', 'y']) },
        { ':v': 1, ':n': 1, ':s': new Set(['x']) },
        { a: 1, c: 1, d: new Set(['y']) },
      ],
      ['SET #a = :v', {}, { ':v': 1 }, { 'a.b': 1 }, names({ '#a': 'a.b' })],
    ];
    it.each(cases)('%s', async (expression, before, values, expected, rest) => {
      const { after, Attributes, key } = await update(before, expression, values, rest);
      expect(after).toEqual(expected);
      expect(Attributes).toEqual({ ...key, ...expected });
    });

    it('creates a missing item', async () => {
      const key = newKey();
      const send = (rest: Partial<UpdateCommandInput>) =>
        db().send(new UpdateCommand({ TableName: TABLE, Key: key, ...rest }));
      await send({});
      await send({ UpdateExpression: 'SET a = :v', ExpressionAttributeValues: { ':v': 1 } });
      const { Item } = await db().send(new GetCommand({ TableName: TABLE, Key: key, ConsistentRead: true }));
      expect(Item).toEqual({ ...key, a: 1 });
    });

    it.each<[UpdateCommandInput['ReturnValues'], Values | undefined]>([
      ['NONE', undefined],
      ['ALL_OLD', { a: 1, m: { x: 1, y: 2 }, z: 0 }],
      ['ALL_NEW', { a: 2, m: { x: 3, y: 2 }, z: 0, n: 1 }],
      ['UPDATED_NEW', { a: 2, m: { x: 3 }, n: 1 }],
    ])('returns %s', async (ReturnValues, expected) => {
      const { Attributes, key } = await update(
        { a: 1, m: { x: 1, y: 2 }, z: 0 },
        'SET a = :a, m.x = :x, n = :n',
        { ':a': 2, ':x': 3, ':n': 1 },
        { ReturnValues },
      );
      expect(Attributes).toEqual(expected && { ...(ReturnValues?.startsWith('ALL') && key), ...expected });
    });
  });

  describe('an update is refused', () => {
    it.each<[string, string, Values | undefined, string, Values?]>([
      [
        'that changes a key',
        'SET pk = :v',
        { ':v': 'x' },
        'Cannot update attribute pk. This attribute is part of the key',
      ],
      [
        'whose right side is missing in the item',
        'SET a = b',
        undefined,
        'The provided expression refers to an attribute that does not exist in the item',
      ],
      [
        'into a missing map',
        'SET m.x = :v',
        { ':v': 1 },
        'The document path provided in the update expression is invalid for update',
      ],
      [
        'into a number',
        'SET m.x = :v',
        { ':v': 1 },
        'The document path provided in the update expression is invalid for update',
        { m: 1 },
      ],
      [
        'that adds to a text',
        'ADD a :v',
        { ':v': 1 },
        'An operand in the update expression has an incorrect data type',
        { a: 'x' },
      ],
      [
        'with ADD of a text',
        'ADD a :v',
        { ':v': 'x' },
        'Incorrect operand type for operator or function; operator: ADD, operand type: S',
      ],
      [
        'with DELETE of a number',
        'DELETE a :v',
        { ':v': 1 },
        'Incorrect operand type for operator or function; operator: DELETE, operand type: N',
      ],
      [
        'with overlapping paths',
        'SET a = :v, a.b = :v',
        { ':v': 1 },
        'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]',
      ],
      [
        'with a section twice',
        'SET a = :v SET b = :v',
        { ':v': 1 },
        'The "SET" section can only be used once in an update expression;',
      ],
      [
        'with an unknown function',
        'SET a = foo(b)',
        undefined,
        'Invalid UpdateExpression: Invalid function name; function: foo',
      ],
      [
        'with a reserved word',
        'SET name = :v',
        { ':v': 1 },
        'Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name',
      ],
    ])('%s', async (_title, expression, values, message, before = {}) => {
      await expectInvalid(update(before, expression, values), message);
    });
  });

  it('a refused update changes nothing', async () => {
    const key = newKey();
    await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, a: 'x', l: [1] } }));
    const send = db().send(
      new UpdateCommand({
        TableName: TABLE,
        Key: key,
        UpdateExpression: 'SET l = :v ADD a :v',
        ExpressionAttributeValues: { ':v': 2 },
      }),
    );
    await expectInvalid(send, 'incorrect data type');
    const { Item } = await db().send(new GetCommand({ TableName: TABLE, Key: key, ConsistentRead: true }));
    expect(Item).toEqual({ ...key, a: 'x', l: [1] });
  });
});
