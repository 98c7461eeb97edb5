import { describe, expect, test } from 'vitest';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { callOf, type Target, targetOfArn, urlOfTarget } from '../../../../../shared/domain/target/aws-target.ts';
import { targetProblem } from '../../../../../shared/domain/target/target-rule.ts';
import { textOfTarget, typedTarget } from '../../../../../shared/domain/target/target-kind-names.ts';

const BUS: Target = { kind: 'event_bus', arn: 'arn:aws:events:eu-west-1:111122223333:event-bus/orders', roleArn: null };
const QUEUE: Target = { kind: 'queue', arn: 'arn:aws:sqs:eu-west-1:111122223333:orders', roleArn: null };
const FIFO: Target = { ...QUEUE, arn: `${QUEUE.arn}.fifo` };

const event = (json = '{"n":1}', more: object = {}) => ({
  emitterId: SourceId.parse('dc_1'),
  stream: 'default',
  eventId: EventId.parse('1000-0'),
  emitId: 'emit-1',
  indexedAt: 1_001,
  trace: { id: '1'.repeat(32), flags: '01' },
  body: Buffer.from(json),
  now: 2_000,
  ...more,
});
const inputOf = (target: Target, ...args: Parameters<typeof event>) => callOf(target, 'u_1', event(...args)).input;

describe('an event for a bus', () => {
  const entryOf = (...args: Parameters<typeof event>) => {
    const { Entries } = inputOf(BUS, ...args) as { Entries: Record<string, string>[] };
    return Entries[0] ?? expect.fail();
  };

  test('has the source of the service, the stream as its detail type, and the event with its metadata', () => {
    const { Detail = '', ...entry } = entryOf();
    expect(entry).toEqual({ EventBusName: BUS.arn, Source: 'tributary', DetailType: 'default' });
    expect(JSON.parse(Detail)).toEqual({
      event: { n: 1 },
      metadata: {
        emit_id: 'emit-1',
        emitter_id: 'dc_1',
        name: '',
        event_id: '1000-0',
        indexed_at_ms: 1_001,
        traceparent: expect.stringMatching(/^00-1{32}-[0-9a-f]{16}-01$/) as unknown,
      },
    });
    expect(entryOf('{}', { stream: 'orders' })['DetailType']).toBe('orders');
  });

  test('keeps the text of the event: order of keys, large numbers and a key __proto__', () => {
    const json = '{"b":12345678901234567890,"a":"\\u00e9","__proto__":{}}';
    expect(entryOf(json)['Detail']).toContain(`{"event":${json},`);
  });

  test.each(['"text"', '[1]', 'null'])('may be the bare value %s', (json) => {
    expect(JSON.parse(entryOf(json)['Detail'] ?? '')).toMatchObject({ event: JSON.parse(json) as unknown });
  });
});

describe('an event for a queue', () => {
  test('has the body of a request, and its headers that tell of the event as attributes', () => {
    expect(inputOf(QUEUE)).toEqual({
      QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/orders',
      MessageBody: '{"n":1}',
      MessageAttributes: {
        'webhook-id': { DataType: 'String', StringValue: 'emit-1' },
        'x-tributary-emitter': { DataType: 'String', StringValue: 'dc_1' },
        'x-tributary-event-name': { DataType: 'String', StringValue: 'default' },
        'x-tributary-event-id': { DataType: 'String', StringValue: '1000-0' },
        traceparent: { DataType: 'String', StringValue: expect.stringMatching(/^00-1{32}-/) as unknown },
      },
    });
  });

  test('has its emitter as the group of a FIFO queue, and the emit id for deduplication', () => {
    expect(inputOf(FIFO)).toMatchObject({ MessageGroupId: 'dc_1', MessageDeduplicationId: 'emit-1' });
  });

  test('is no repetition for a FIFO queue when somebody requested the attempt', () => {
    expect(inputOf(FIFO, '{}', { repetition: 3 })).toMatchObject({ MessageDeduplicationId: 'emit-1.3' });
  });
});

test.each([
  [BUS, 'https://events.eu-west-1.amazonaws.com/orders'],
  [FIFO, 'https://sqs.eu-west-1.amazonaws.com/111122223333/orders.fifo'],
  [
    { ...QUEUE, arn: 'arn:aws-cn:sqs:cn-north-1:111122223333:q' },
    'https://sqs.cn-north-1.amazonaws.com.cn/111122223333/q',
  ],
  [{ ...QUEUE, arn: BUS.arn }, undefined],
  // Its address would be that of a bucket of S3.
  [{ ...QUEUE, arn: 'arn:aws:sqs:s3:111122223333:q' }, undefined],
  [{ ...BUS, arn: 'arn:aws:events:eu-west-1:111122223333:rule/orders' }, undefined],
] as const)('the URL of %j is %s', (target, url) => {
  expect(urlOfTarget(target)).toBe(url);
});

test('an ARN tells its kind, for workflows and for people who type it', () => {
  expect([BUS, FIFO].map(({ arn }) => targetOfArn(arn))).toEqual([BUS, FIFO]);
  expect(targetOfArn('https://example.org')).toBeUndefined();
  const role = 'arn:aws:iam::111122223333:role/orders';
  expect(typedTarget(` ${QUEUE.arn} , ${role} `)).toEqual({ kind: 'queue', arn: QUEUE.arn, role_arn: role });
  expect(typedTarget(BUS.arn)).toEqual({ kind: 'event_bus', arn: BUS.arn, role_arn: null });
  expect(textOfTarget(typedTarget(`${QUEUE.arn},${role}`))).toBe(`${QUEUE.arn}, ${role}`);
  for (const text of ['', 'arn:aws:sns:eu-west-1:111122223333:t', 'arn:aws:__proto__:a', `${BUS.arn},${role},${role}`])
    expect(typedTarget(text), text).toBeUndefined();
});

describe('the rule of targets', () => {
  const own = 'arn:aws:sqs:eu-west-1:111122223333:Tributary-Retries';
  const rule = {
    patterns: ['arn:aws:sqs:eu-west-1:*:*', 'arn:aws:iam::444455556666:role/tributary-*'],
    ownQueues: [own],
  };
  const other = 'arn:aws:sqs:eu-west-1:444455556666:orders';
  const roleArn = 'arn:aws:iam::444455556666:role/tributary-orders';

  test('allows what a pattern covers, and names the setting for the rest', () => {
    expect(targetProblem(QUEUE, rule)).toBeUndefined();
    expect(targetProblem(BUS, rule)).toEqual({
      member: 'arn',
      message: expect.stringContaining('the setting `targets` of the stage') as unknown,
    });
    expect(targetProblem(QUEUE, { ...rule, patterns: [] })?.member).toBe('arn');
  });

  test('refuses the queues of the service itself, also where a pattern covers them', () => {
    expect(targetProblem({ ...QUEUE, arn: own }, rule)?.message).toBe('must not be a queue of the service itself');
    expect(targetProblem({ ...QUEUE, arn: own, roleArn }, rule)?.member).toBe('arn');
  });

  test('wants a role for another account, and the role within the patterns', () => {
    expect(targetProblem({ ...QUEUE, arn: other }, rule)).toEqual({
      member: 'role_arn',
      message: 'is required for a target in another account',
    });
    expect(targetProblem({ ...QUEUE, arn: other, roleArn }, rule)).toBeUndefined();
    const stranger = { ...QUEUE, arn: other, roleArn: 'arn:aws:iam::444455556666:role/admin' };
    expect(targetProblem(stranger, rule)?.member).toBe('role_arn');
  });
});
