import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { createCallTarget } from '../../../../../shared/aws/targets/call-target.ts';
import { createDeliverToTarget } from '../../../../../shared/aws/targets/deliver-to-target.ts';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { failureSubjectOf } from '../../../../../shared/domain/delivery/failure-subject.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { callOf, type Target } from '../../../../../shared/domain/target/aws-target.ts';
import { gate } from '../../../../support/gate.ts';
import { freePort } from '../../../../support/free-port.ts';
import { type Respond, recorder } from './recorder.ts';
import { ASSUME_ROLE, PUT_EVENTS, SEND_MESSAGE } from './service-models.ts';

const OWN = 'arn:aws:sqs:eu-west-1:111122223333:own';
const ROLE = 'arn:aws:iam::444455556666:role/tributary-orders';
const BUS: Target = { kind: 'event_bus', arn: 'arn:aws:events:eu-west-1:111122223333:event-bus/orders', roleArn: null };
const QUEUE: Target = { kind: 'queue', arn: 'arn:aws:sqs:eu-west-1:111122223333:orders.fifo', roleArn: null };
const PUT = '{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}';
const SENT = '{"MessageId":"1","MD5OfMessageBody":"2"}';

const callTo = (target: Target, json = '{"n":"ä"}') =>
  callOf(target, 'u_1', {
    emitterId: SourceId.parse('dc_1'),
    stream: 'orders',
    eventId: EventId.parse('1000-0'),
    emitId: 'emit-1',
    indexedAt: 1_001,
    body: Buffer.from(json),
    now: 2_000,
  });

/** Delivers to a recorder in the place of every service. */
async function opened(respond: Respond, now = () => Date.now()) {
  const { address, requests } = await recorder(respond);
  const callTarget = createCallTarget({ addressOf: () => address, now });
  const rule = { patterns: ['arn:aws:*:eu-west-1:*:*', 'arn:aws:iam::444455556666:role/*'], ownQueues: [OWN] };
  const deliver = createDeliverToTarget({ callTarget, rule, now });
  const attempt = (target: Target, more: { timeoutMs?: number; keepsResponse?: boolean; json?: string } = {}) =>
    deliver(callTo(target, more.json), { timeoutMs: 5_000, ...more });
  return { attempt, requests, address };
}

describe('a call', () => {
  test.each([
    ['PutEvents', BUS, PUT_EVENTS, PUT],
    ['SendMessage', QUEUE, SEND_MESSAGE, SENT],
  ])('%s is the request of the service model, signed for its region', async (_operation, target, model, response) => {
    const { attempt, requests } = await opened(() => ({ body: response }));
    expect(await attempt(target)).toMatchObject({ outcome: 'delivered', status: 200 });
    const [{ headers, body } = expect.fail()] = requests;
    expect(headers).toMatchObject({ 'x-amz-target': model.target, 'content-type': model.contentType });
    expect(headers['authorization']).toMatch(
      new RegExp(`^AWS4-HMAC-SHA256 Credential=OWN/\\d{8}/eu-west-1/${model.signedFor}/aws4_request, `),
    );
    expect(headers['x-amz-security-token']).toBe('token');
    const input = model.input.parse(JSON.parse(body));
    expect(input).toEqual(callTo(target).input);
  });

  test('SendMessage is byte for byte the body that the SDK sends', async () => {
    const { attempt, requests, address } = await opened(() => ({ body: SENT }));
    await attempt(QUEUE);
    const credentials = { accessKeyId: 'OWN', secretAccessKey: 'secret' };
    const client = new SQSClient({ region: 'eu-west-1', endpoint: address, credentials, md5: false });
    const { QueueUrl, ...input } = callTo(QUEUE).input;
    await client.send(new SendMessageCommand({ ...input, QueueUrl: String(QueueUrl) } as never));
    const [own, sdk] = requests.map(({ headers, body }) => [headers['x-amz-target'], headers['content-type'], body]);
    expect(own).toEqual(sdk);
  });
});

describe('a refusal is an outcome with its reason', () => {
  const error =
    (type: string, message: string, status = 400): Respond =>
    () => ({
      status,
      body: JSON.stringify({ __type: `com.amazonaws#${type}`, message }),
    });
  const entry =
    (ErrorCode: string): Respond =>
    () => ({
      body: JSON.stringify({ FailedEntryCount: 1, Entries: [{ ErrorCode, ErrorMessage: 'Not so.' }] }),
    });

  test.each([
    [
      'an event that is too large for a bus',
      BUS,
      error('ValidationException', 'Total size of the entries in the request is over the limit.'),
      400,
      'event',
    ],
    [
      'an event that is too large for a queue',
      QUEUE,
      error('InvalidParameterValue', 'Message must be shorter than 1048576 bytes.'),
      400,
      'event',
    ],
    ['characters that SQS refuses', QUEUE, error('InvalidMessageContents', 'Invalid characters.'), 400, 'event'],
    ['an entry that is malformed', BUS, entry('MalformedDetail'), 400, 'event'],
    ['an entry that is not authorised', BUS, entry('NotAuthorizedForSourceException'), 403, 'receiver'],
    ['an entry that was throttled', BUS, entry('ThrottlingException'), 429, 'receiver'],
    ['an entry that failed inside', BUS, entry('InternalFailure'), 500, 'receiver'],
    [
      'a queue that is missing',
      QUEUE,
      error('QueueDoesNotExist', 'The specified queue does not exist.'),
      404,
      'receiver',
    ],
    ['a permission that is missing', QUEUE, error('AccessDeniedException', 'No.', 400), 403, 'receiver'],
    ['a key that may not be used', QUEUE, error('KmsAccessDenied', 'No.'), 403, 'receiver'],
    ['too many calls', QUEUE, error('RequestThrottled', 'Slow down.', 403), 429, 'receiver'],
    ['a service that fails', BUS, () => ({ status: 503, body: '<html>' }), 503, 'receiver'],
  ] as const)('for %s', async (_what, target, respond, status, subject) => {
    const { attempt } = await opened(respond);
    const outcome = await attempt(target);
    expect(outcome).toMatchObject({ outcome: 'rejected', status, reason: expect.stringMatching(/^\w+: ./) as unknown });
    expect(failureSubjectOf(outcome)).toBe(subject);
  });

  test.each([
    ['an empty body', BUS, ''],
    ['an empty body', QUEUE, ''],
    ['a page', QUEUE, '<html>'],
    ['no entry', BUS, '{"FailedEntryCount":0,"Entries":[]}'],
    ['entries that are null', BUS, '{"Entries":null}'],
    ['an entry without an id', BUS, '{"FailedEntryCount":1,"Entries":[{}]}'],
  ])('for %s that confirms no event, although the status is 200', async (_what, target, body) => {
    const { attempt } = await opened(() => ({ body }));
    const outcome = await attempt(target);
    expect(outcome).toMatchObject({
      outcome: 'rejected',
      status: 500,
      reason: expect.stringMatching(/^InternalFailure: (SQS|EventBridge) did not confirm the event$/) as unknown,
    });
    expect(failureSubjectOf(outcome)).toBe('receiver');
  });

  test('for a redirect, which is not followed', async () => {
    const { attempt, requests } = await opened(() => ({ status: 307, location: '/elsewhere', body: '' }));
    expect(await attempt(QUEUE)).toMatchObject({ outcome: 'rejected', status: 307 });
    expect(requests).toHaveLength(1);
  });

  test('names the code and the message of the service', async () => {
    const { attempt } = await opened(error('ValidationException', 'Total size of the entries is over the limit.'));
    expect((await attempt(BUS)).reason).toBe('ValidationException: Total size of the entries is over the limit.');
  });

  test('for a service that does not answer in time, or not at all', async () => {
    const { attempt } = await opened(() => ({ body: '', hangs: true }));
    expect(await attempt(BUS, { timeoutMs: 50 })).toMatchObject({
      outcome: 'timed_out',
      reason: 'No response within 50 ms',
    });
    const port = await freePort();
    const nowhere = createCallTarget({ addressOf: () => `http://127.0.0.1:${port}/`, now: Date.now });
    const rule = { patterns: ['*'], ownQueues: [OWN] };
    const outcome = await createDeliverToTarget({ callTarget: nowhere, rule, now: Date.now })(callTo(BUS), {
      timeoutMs: 5_000,
    });
    expect(outcome).toMatchObject({ outcome: 'unreachable', reason: expect.stringContaining('refused') as unknown });
  });

  test('for a target that the stage no longer allows: nothing is called', async () => {
    const { attempt, requests } = await opened(() => ({ body: SENT }));
    expect(await attempt({ ...QUEUE, arn: 'arn:aws:sqs:us-east-1:111122223333:orders' })).toMatchObject({
      outcome: 'blocked',
      reason: expect.stringContaining('`targets`') as unknown,
    });
    expect(await attempt({ ...QUEUE, arn: OWN })).toMatchObject({ outcome: 'blocked' });
    expect(requests).toEqual([]);
  });

  test('and a success keeps what the service answered, if it is wanted', async () => {
    const { attempt } = await opened(() => ({ body: SENT }));
    expect(await attempt(QUEUE)).not.toHaveProperty('answer');
    expect(await attempt(QUEUE, { keepsResponse: true })).toHaveProperty('answer', SENT);
  });
});

describe('a role of another account', () => {
  const target: Target = { ...QUEUE, arn: 'arn:aws:sqs:eu-west-1:444455556666:orders', roleArn: ROLE };
  const assumed = '<AccessKeyId>THEIRS</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>';
  const denied = { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Not you.</Message></Error>' };
  const form = (body: string) => Object.fromEntries(new URLSearchParams(body));
  /** STS, which assumes the role for some external ids. */
  const sts =
    (accepts: (externalId: string) => boolean, after = Promise.resolve()): Respond =>
    ({ body }) =>
      body.startsWith('{')
        ? { body: SENT }
        : { ...(accepts(form(body)['ExternalId'] ?? '') ? { body: assumed } : denied), after };

  test('is assumed with the user as the external id, once for many calls, and signs the call', async () => {
    const { attempt, requests } = await opened(sts((id) => id === 'u_1'));
    expect(await attempt(target)).toMatchObject({ outcome: 'delivered' });
    expect(await attempt(target)).toMatchObject({ outcome: 'delivered' });
    const assumes = requests
      .filter(({ body }) => !body.startsWith('{'))
      .map(({ body }) => ASSUME_ROLE.parse(form(body)));
    expect(assumes.map(({ RoleArn }) => RoleArn)).toEqual([ROLE, ROLE]);
    expect(assumes.map(({ ExternalId }) => ExternalId)).toContain('u_1');
    const calls = requests.filter(({ body }) => body.startsWith('{'));
    expect(calls.map(({ headers }) => headers['authorization']?.includes('Credential=THEIRS/'))).toEqual([true, true]);
  });

  test('is assumed once for ten attempts at the same time, in two calls', async () => {
    const { attempt, requests } = await opened(sts((id) => id === 'u_1'));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => attempt(target)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(10).fill('delivered'));
    expect(requests.filter(({ body }) => !body.startsWith('{'))).toHaveLength(2);
  });

  test('is assumed for other attempts, too, when the attempt that asked first has no more time', async () => {
    const responses = gate();
    const { attempt, requests } = await opened(sts((id) => id === 'u_1', responses.opened));
    const first = attempt(target, { timeoutMs: 50 });
    const second = attempt(target);
    expect(await first).toMatchObject({ outcome: 'timed_out' });
    responses.open();
    expect(await second).toMatchObject({ outcome: 'delivered' });
    expect(requests.filter(({ body }) => !body.startsWith('{'))).toHaveLength(2);
  });

  test('whose trust policy takes any external id is refused: other users could use it', async () => {
    const { attempt, requests } = await opened(sts(() => true));
    expect(await attempt(target)).toMatchObject({
      outcome: 'rejected',
      status: 403,
      reason: expect.stringContaining(`must require the external id u_1`) as unknown,
    });
    expect(requests.some(({ body }) => body.startsWith('{'))).toBe(false);
  });

  test('of which the trust policy names another user is refused, and asked for again after 30 s', async () => {
    let time = 0;
    let user = 'u_2';
    const { attempt, requests } = await opened(
      sts((id) => id === user),
      () => time,
    );
    const refused = { outcome: 'rejected', status: 403, reason: 'AccessDenied: Not you.' };
    expect(await attempt(target)).toMatchObject(refused);
    user = 'u_1';
    time += 29_999;
    expect(await attempt(target)).toMatchObject(refused);
    expect(requests).toHaveLength(1);
    time += 1;
    expect(await attempt(target)).toMatchObject({ outcome: 'delivered' });
  });

  test('without credentials in the response is asked for again by the next attempt, and makes no call', async () => {
    const garbled = (body: string) => (form(body)['ExternalId'] === 'u_1' ? { body: '<html>' } : denied);
    const { attempt, requests } = await opened(({ body }) => (body.startsWith('{') ? { body: SENT } : garbled(body)));
    for (let n = 0; n < 2; n += 1) expect(await attempt(target)).toMatchObject({ outcome: 'rejected', status: 500 });
    expect(requests.filter(({ body }) => form(body)['ExternalId'] === 'u_1')).toHaveLength(2);
    expect(requests.some(({ body }) => body.startsWith('{'))).toBe(false);
  });

  test('counts against the time of the attempt: a service for roles that hangs makes it no longer', async () => {
    const { attempt, requests } = await opened(() => ({ body: '', hangs: true }));
    expect(await attempt(target, { timeoutMs: 50 })).toMatchObject({ outcome: 'timed_out' });
    expect(requests.some(({ body }) => body.startsWith('{'))).toBe(false);
  });

  test('is assumed anew when its credentials grow old', async () => {
    let time = 0;
    const { attempt, requests } = await opened(
      sts((id) => id === 'u_1'),
      () => time,
    );
    await attempt(target);
    time += 46 * 60_000;
    await attempt(target);
    expect(requests.filter(({ body }) => !body.startsWith('{'))).toHaveLength(4);
  });
});

test('the plugin of the host gets the call instead of a socket', async () => {
  const calls: unknown[] = [];
  const key = Symbol.for('tributary.aws.plugin');
  const { sdkPlugin } = await import('../../../../../infra/embedded/sdk-plugin.ts');
  const dispatch = (call: object) => {
    calls.push(call);
    return Promise.resolve({ Entries: [{ EventId: '1' }] });
  };
  Object.assign(process, { [key]: sdkPlugin({ dispatch, role: 'arn:role' }) });
  try {
    const outcome = await createCallTarget({ now: Date.now })(callTo(BUS), AbortSignal.timeout(1_000));
    expect(outcome).toMatchObject({ Entries: [{ EventId: '1' }] });
  } finally {
    Reflect.deleteProperty(process, key);
  }
  expect(calls).toEqual([
    { role: 'arn:role', service: 'EventBridge', operation: 'PutEvents', input: callTo(BUS).input },
  ]);
  vi.unstubAllEnvs();
});
