import { expect, test } from 'vitest';
import { TEST_STREAM } from '../../../../../shared/domain/delivery/delivery.ts';
import { cloudEventOf } from '../../../../../shared/domain/format/cloud-event.ts';
import { SourceId, WebhookId, WorkflowId } from '../../../../../shared/domain/id.ts';
import { CloudEvent } from '../../../../support/published-messages.ts';

const AT = Date.UTC(2026, 10, 30, 9, 41, 51, 250);
const sent = { emitId: 'emit-1', emitterId: SourceId.parse('dc_1'), stream: 'default', indexedAt: AT };
const read = (body: Buffer) => CloudEvent.parse(JSON.parse(body.toString()));

test('a CloudEvent has id, source, type and time of its event, and the event as its data', () => {
  expect(read(cloudEventOf({ ...sent, body: Buffer.from('{"n":1}') }, 0))).toEqual({
    specversion: '1.0',
    id: 'emit-1',
    source: '/sources/dc_1',
    type: 'default',
    time: '2026-11-30T09:41:51.250Z',
    datacontenttype: 'application/json',
    data: { n: 1 },
  });
});

test('the data has the bytes of the event: order, unicode and keys stay', () => {
  const json = '{"2":"b","1":"größe","__proto__":{"x":1},"n":12345678901234567890}';
  const text = cloudEventOf({ ...sent, body: Buffer.from(json) }, 0).toString();
  expect(text.slice(text.indexOf('"data":'))).toBe(`"data":${json}}`);
});

test.each([null, 'text', 7, [1]])('the value %j is the data', (value) => {
  expect(read(cloudEventOf({ ...sent, body: Buffer.from(JSON.stringify(value)) }, 0)).data).toEqual(value);
});

test('a workflow and a tested webhook are sources, too', () => {
  const body = Buffer.from('{}');
  const workflow = read(cloudEventOf({ ...sent, emitterId: WorkflowId.parse('p_1'), stream: 'a "b"', body }, 0));
  expect(workflow).toMatchObject({ source: '/workflows/p_1', type: 'a "b"' });
  const tested = { emitId: 'e', emitterId: WebhookId.parse('wh_1'), stream: TEST_STREAM, body };
  expect(read(cloudEventOf(tested, AT))).toMatchObject({
    source: '/webhooks/wh_1',
    type: '$test',
    time: '2026-11-30T09:41:51.250Z',
  });
});
