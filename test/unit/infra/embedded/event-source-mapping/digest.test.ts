import { expect, test } from 'vitest';
import { readEvent, writeEvent } from '../../../../../infra/embedded/event-source-mapping/digest.ts';

const MD5_OF_BODY = '841a2d689ad86bd1611447453c22c6fc';

function aRecord() {
  let reads = 0;
  const record = {
    messageId: '1',
    body: 'body',
    attributes: { SenderId: 'sender' },
    get md5OfBody() {
      reads += 1;
      return MD5_OF_BODY;
    },
    eventSource: 'aws:sqs',
  };
  return { record, reads: () => reads };
}

test('a queue event crosses threads whole, and no digest is computed for it', () => {
  const { record, reads } = aRecord();
  const written = writeEvent({ Records: [record, record] });
  expect(reads()).toBe(0);
  const read = readEvent(written);
  expect(read).toEqual({ Records: [record, record] });
  expect(JSON.parse(JSON.stringify(read))).toEqual({
    Records: [
      { ...record, md5OfBody: MD5_OF_BODY },
      { ...record, md5OfBody: MD5_OF_BODY },
    ],
  });
});

test('the body of a record is not quoted', () => {
  const { record } = aRecord();
  expect(writeEvent({ Records: [record] })).toMatchObject({
    json: expect.not.stringContaining('"body"') as string,
    bodies: ['body'],
  });
});

test.each([
  ['nothing', null],
  ['text', 'text'],
  ['no records', { Records: [] }],
  ['records of another source', { Records: [{ eventSource: 'aws:s3', md5OfBody: null }] }],
  ['records that somebody made without a digest', { Records: [{ eventSource: 'aws:sqs', body: 'body' }] }],
])('%s crosses as it is', (_, event) => {
  expect(readEvent(writeEvent(event))).toEqual(event);
});
