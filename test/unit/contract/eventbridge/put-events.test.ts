import { describe, expect, test } from 'vitest';
import type { AwsError } from '../../../../infra/embedded/call.ts';
import { eventBridgeService } from '../../../../infra/embedded/eventbridge/service.ts';

const ARN = 'arn:aws:events:us-east-1:000000000000:event-bus/orders';
const entry = { EventBusName: ARN, Source: 'tributary', DetailType: 'created', Detail: '{"n":12345678901234567890}' };

function opened() {
  const recorded: { bus: string; event: string }[] = [];
  const service = eventBridgeService({
    clock: { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678), wakeAt: () => () => undefined },
    region: 'us-east-1',
    account: '000000000000',
    buses: new Set(['default', 'orders']),
    record: async (bus, event) => void recorded.push({ bus, event }),
  });
  const put = (...Entries: object[]) => service.call('PutEvents', { Entries }, 'role');
  return { service, recorded, put };
}

describe('PutEvents', () => {
  test('records the event as rules and their targets get it, with the text of its detail', async () => {
    const { recorded, put } = opened();
    const output = await put(entry, { ...entry, EventBusName: 'orders' });
    expect(output).toEqual({
      FailedEntryCount: 0,
      Entries: [{ EventId: expect.any(String) }, { EventId: expect.any(String) }],
    });
    expect(recorded.map(({ bus }) => bus)).toEqual(['orders', 'orders']);
    expect(recorded[0]?.event).toContain('"detail":{"n":12345678901234567890}}');
    expect(JSON.parse(recorded[0]?.event ?? '')).toMatchObject({
      version: '0',
      id: (output['Entries'] as { EventId: string }[])[0]?.EventId,
      'detail-type': 'created',
      source: 'tributary',
      account: '000000000000',
      time: '2026-01-02T03:04:05Z',
      region: 'us-east-1',
      resources: [],
    });
  });

  test('records an event with characters that a queue does not allow, as the same JSON', async () => {
    const { recorded, put } = opened();
    await put({ ...entry, Detail: '{"t":"\ufffe\uffff\ud83d\ude00"}' });
    expect(recorded[0]?.event).not.toMatch(/[\ufffe\uffff]/);
    expect(JSON.parse(recorded[0]?.event ?? '')).toMatchObject({ detail: { t: '\ufffe\uffff\ud83d\ude00' } });
  });

  test('takes the default bus without a name', async () => {
    const { recorded, put } = opened();
    await put({ ...entry, EventBusName: undefined });
    expect(recorded[0]?.bus).toBe('default');
  });

  test.each([
    [{ Detail: undefined }, 'InvalidArgument'],
    [{ Source: '' }, 'InvalidArgument'],
    [{ Detail: '[1]' }, 'MalformedDetail'],
    [{ Detail: '{' }, 'MalformedDetail'],
    [{ Source: 'aws.s3' }, 'NotAuthorizedForSourceException'],
  ])('fails the entry with %j and no other', async (wrong, ErrorCode) => {
    const { recorded, put } = opened();
    const output = await put({ ...entry, ...wrong }, entry);
    expect(output).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode, ErrorMessage: expect.any(String) }, {}],
    });
    expect(recorded).toHaveLength(1);
  });

  test('takes entries of 1 MiB together, and no more', async () => {
    const { recorded, put } = opened();
    const rest = Buffer.byteLength(`${entry.Source}${entry.DetailType}{"t":""}`);
    const detail = (bytes: number) => ({ ...entry, Detail: `{"t":"${'x'.repeat(bytes - rest)}"}` });
    await put(detail(1_048_576));
    expect(recorded).toHaveLength(1);
    await expect(put(detail(1_048_577))).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Total size of the entries in the request is over the limit.',
      statusCode: 400,
    } satisfies Partial<AwsError>);
  });

  test.each([
    [[], 'ValidationException'],
    [Array.from({ length: 11 }, () => entry), 'ValidationException'],
    [[{ ...entry, Other: 1 }], 'ValidationException'],
    [[{ ...entry, EventBusName: 'other' }], 'ResourceNotFoundException'],
  ])('refuses %j as a whole', async (entries, name) => {
    const { recorded, put } = opened();
    await expect(put(...entries)).rejects.toMatchObject({ name });
    expect(recorded).toEqual([]);
  });

  test('needs the permission for each bus that it names', () => {
    const { service } = opened();
    expect(
      service.requiredPermissions('PutEvents', { Entries: [entry, { ...entry, EventBusName: undefined }] }),
    ).toEqual([
      { action: 'events:PutEvents', resource: ARN },
      { action: 'events:PutEvents', resource: ARN.replace('orders', 'default') },
    ]);
  });
});
