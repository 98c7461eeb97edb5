import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { itDespite } from './differences.ts';
import { expectInvalid, refusal } from './refusal.ts';
import { describeEach, everywhere, TABLE } from './targets.ts';

const stored = {
  pk: randomUUID(),
  sk: 'a',
  text: 'hello',
  umlaut: 'ü',
  number: 10,
  yes: true,
  nothing: null,
  list: ['x', 2, { deep: 'y' }],
  map: { inner: { n: 5 }, 'with.dot': 1 },
  tags: new Set(['red', 'green']),
  bytes: new Uint8Array([1, 2, 3]),
};

type Values = Record<string, unknown>;

describeEach(everywhere, (db, name) => {
  beforeAll(() => db().send(new PutCommand({ TableName: TABLE, Item: stored })));

  const filter = (FilterExpression: string, values?: Values, names?: Record<string, string>) =>
    db().send(
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression,
        ExpressionAttributeValues: { ':pk': stored.pk, ...values },
        ...(names && { ExpressionAttributeNames: names }),
      }),
    );

  describe('a condition holds or not', () => {
    const cases: [expression: string, holds: boolean, values?: Values | undefined, names?: Record<string, string>][] = [
      ['#n = :v', true, { ':v': 10 }, { '#n': 'number' }],
      ['#n = :v', false, { ':v': '10' }, { '#n': 'number' }],
      ['#n <> :v', true, { ':v': 11 }, { '#n': 'number' }],
      ['absent <> :v', true, { ':v': 11 }],
      ['absent = :v', false, { ':v': 11 }],
      ['#n < :v', true, { ':v': 10.5 }, { '#n': 'number' }],
      ['#n <= :v', true, { ':v': 10 }, { '#n': 'number' }],
      ['#n > :v', false, { ':v': 10 }, { '#n': 'number' }],
      ['#n >= :v', true, { ':v': -1 }, { '#n': 'number' }],
      ['#n > :v', false, { ':v': 'a' }, { '#n': 'number' }],
      ['#t < :v', true, { ':v': 'hellp' }, { '#t': 'text' }],
      ['#n BETWEEN :a AND :b', true, { ':a': 10, ':b': 11 }, { '#n': 'number' }],
      ['#n between :a and :b', false, { ':a': 11, ':b': 12 }, { '#n': 'number' }],
      ['#n IN (:a, :b)', true, { ':a': 1, ':b': 10 }, { '#n': 'number' }],
      ['#n IN (:a)', false, { ':a': 1 }, { '#n': 'number' }],
      ['attribute_exists(nothing)', true],
      ['attribute_exists(#m.#i.n)', true, undefined, { '#m': 'map', '#i': 'inner' }],
      ['attribute_exists(#m.#d)', true, undefined, { '#m': 'map', '#d': 'with.dot' }],
      ['attribute_not_exists(absent)', true],
      ['attribute_not_exists(tags)', false],
      ['attribute_not_exists(toString)', true],
      ['begins_with(#t, :v)', true, { ':v': 'hel' }, { '#t': 'text' }],
      ['begins_with(#t, :v)', false, { ':v': 'el' }, { '#t': 'text' }],
      ['contains(#t, :v)', true, { ':v': 'ell' }, { '#t': 'text' }],
      ['contains(tags, :v)', true, { ':v': 'red' }],
      ['contains(tags, :v)', false, { ':v': 'blue' }],
      ['contains(#l, :v)', true, { ':v': 2 }, { '#l': 'list' }],
      ['contains(#l, :v)', false, { ':v': '2' }, { '#l': 'list' }],
      ['size(#t) = :v', true, { ':v': 5 }, { '#t': 'text' }],
      ['size(tags) = :v', true, { ':v': 2 }],
      ['size(#l) > :v', true, { ':v': 2 }, { '#l': 'list' }],
      ['size(#m) = :v', true, { ':v': 2 }, { '#m': 'map' }],
      ['size(#b) = :v', true, { ':v': 3 }, { '#b': 'bytes' }],
      ['size(absent) = :v', false, { ':v': 0 }],
      ['tags = :v', true, { ':v': new Set(['green', 'red']) }],
      ['yes = :v AND #n = :n OR absent = :v', true, { ':v': true, ':n': 10 }, { '#n': 'number' }],
      ['absent = :v AND (#n = :n OR yes = :v)', false, { ':v': true, ':n': 10 }, { '#n': 'number' }],
      ['absent = :v AND #n = :n OR yes = :v', true, { ':v': true, ':n': 10 }, { '#n': 'number' }],
      ['NOT (yes = :v)', false, { ':v': true }],
      ['NOT yes = :v', false, { ':v': true }],
      ['NOT (NOT yes = :v)', true, { ':v': true }],
      ['NOT absent = :v AND yes = :v', true, { ':v': true }],
    ];
    it.each(cases)('%s is %s', async (expression, holds, values, names) => {
      expect((await filter(expression, values, names)).Count).toBe(holds ? 1 : 0);
    });

    itDespite('utf-8-size', name)('the size of a text is its bytes in UTF-8', async () => {
      expect((await filter('size(umlaut) = :v', { ':v': 2 })).Count).toBe(1);
    });

    itDespite('numeric-equality', name)('maps and lists are equal by content', async () => {
      expect((await filter('#l = :v', { ':v': ['x', 2, { deep: 'y' }] }, { '#l': 'list' })).Count).toBe(1);
      expect((await filter('#m.#i = :v', { ':v': { n: 5 } }, { '#m': 'map', '#i': 'inner' })).Count).toBe(1);
    });
  });

  describe('a condition is refused', () => {
    it.each<[string, string, RegExp, Values?, Record<string, string>?]>([
      [
        'an undefined name',
        '#a = :v',
        /An expression attribute name used in the document path is not defined; attribute name: #a/,
        { ':v': 1 },
      ],
      [
        'an undefined value',
        'a = :w',
        /An expression attribute value used in expression is not defined; attribute value: :w/,
        {},
      ],
      [
        'an unused value',
        'attribute_exists(a)',
        /^Value provided in ExpressionAttributeValues unused in expressions: keys: \{:v\}$/,
        { ':v': 1 },
      ],
      [
        'an unused name',
        'attribute_exists(a)',
        /^Value provided in ExpressionAttributeNames unused in expressions: keys: \{#a\}$/,
        {},
        { '#a': 'a' },
      ],
      [
        'a reserved word',
        'status = :v',
        /Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status/,
        { ':v': 1 },
      ],
      ['an unknown function', 'foo(a)', /Invalid FilterExpression: Invalid function name; function: foo/],
      [
        'too few operands',
        'begins_with(a)',
        /Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1/,
      ],
      [
        'a path that is a value',
        'attribute_exists(:v)',
        /Operator or function requires a document path; operator or function: attribute_exists/,
        { ':v': 1 },
      ],
      [
        'an operand of a type that begins_with never takes',
        'begins_with(a, :v)',
        /Incorrect operand type for operator or function; operator or function: begins_with, operand type: N/,
        { ':v': 1 },
      ],
      [
        'bounds in the wrong order',
        'a BETWEEN :v AND :w',
        /The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: \{N:2\}, upper bound operand: AttributeValue: \{N:1\}/,
        { ':v': 2, ':w': 1 },
      ],
      [
        'bounds of different types',
        'a BETWEEN :v AND :w',
        /The BETWEEN operator requires same data type for lower and upper bounds/,
        { ':v': 2, ':w': '3' },
      ],
      ['redundant parentheses', '((a = :v))', /The expression has redundant parentheses;/, { ':v': 2 }],
      [
        'the same operand twice',
        'a = a',
        /The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: \[a\]/,
      ],
      [
        'a misused function',
        'a = attribute_exists(b)',
        /The function is not allowed to be used this way in an expression; function: attribute_exists/,
      ],
      ['an empty expression', '', /Invalid FilterExpression: The expression can not be empty;/],
      ['broken syntax', 'a = ', /Invalid FilterExpression: Syntax error; /],
      ['a stray character', 'a = :v ;', /Invalid FilterExpression: Syntax error; /, { ':v': 2 }],
      [
        'an invalid placeholder',
        'a = :v',
        /ExpressionAttributeNames contains invalid key: Syntax error; key: "a"/,
        { ':v': 2 },
        { a: 'b' },
      ],
    ])('for %s', async (_title, expression, message, values, names) => {
      await expectInvalid(filter(expression, values, names), message);
    });

    itDespite('syntax-message', name)('for a syntax error, with the token and its neighbours', async () => {
      await expectInvalid(filter('a == :v', { ':v': 1 }), 'Syntax error; token: "=", near: "== :v"');
    });

    itDespite('expression-size', name)('above 4 KB', async () => {
      const text = (bytes: number) => `attribute_exists(${'a'.repeat(bytes - 'attribute_exists()'.length)})`;
      expect((await filter(text(4096))).Count).toBe(0);
      await expectInvalid(filter(text(4097)), 'Expression size has exceeded the maximum allowed size');
    });

    itDespite('operators', name)('with more than 300 operators', async () => {
      const joined = (comparisons: number) => filter(Array(comparisons).fill('a=:v').join(' OR '), { ':v': 1 });
      expect((await joined(150)).Count).toBe(0);
      await expectInvalid(joined(151), '301');
    });

    itDespite('in-operands', name)('with more than 100 operands of IN', async () => {
      const among = (count: number) => {
        const values = Object.fromEntries(Array.from({ length: count }, (_, i) => [`:v${i}`, i]));
        return filter(`#n IN (${Object.keys(values).join(', ')})`, values, { '#n': 'number' });
      };
      expect((await among(100)).Count).toBe(1);
      await expectInvalid(among(101), 'The IN operator is provided with too many operands; number of operands: 101');
    });

    it('in a filter that names a key', async () => {
      await expectInvalid(
        filter('sk = :v', { ':v': 1 }),
        'Filter Expression can only contain non-primary key attributes: Primary key attribute: sk',
      );
    });
  });

  describe('a conditional write', () => {
    const condition = { ConditionExpression: 'attribute_not_exists(pk)' };

    it('runs if the condition holds; else it is refused and changes nothing', async () => {
      const key = { pk: randomUUID(), sk: 'a' };
      const put = (a: number) => db().send(new PutCommand({ TableName: TABLE, Item: { ...key, a }, ...condition }));
      await put(1);
      const error = await refusal(put(2));
      expect([error.name, error.message]).toEqual([
        'ConditionalCheckFailedException',
        'The conditional request failed',
      ]);
      const update = new UpdateCommand({
        TableName: TABLE,
        Key: key,
        UpdateExpression: 'REMOVE a',
        ...condition,
      });
      expect((await refusal(db().send(update))).name).toBe('ConditionalCheckFailedException');
      const remove = new DeleteCommand({ TableName: TABLE, Key: key, ...condition });
      expect((await refusal(db().send(remove))).name).toBe('ConditionalCheckFailedException');
      expect((await db().send(new GetCommand({ TableName: TABLE, Key: key, ConsistentRead: true }))).Item).toEqual({
        ...key,
        a: 1,
      });
    });

    it('succeeds for one of many simultaneous writes', async () => {
      const key = { pk: randomUUID(), sk: 'a' };
      const puts = Array.from({ length: 10 }, (_, a) =>
        db().send(new PutCommand({ TableName: TABLE, Item: { ...key, a }, ...condition })),
      );
      const outcomes = await Promise.allSettled(puts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });
});
