import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeError } from '../../../../shared/lambda/log.ts';
import { readOne } from '../../../../shared/store/table/read-items.ts';

const SECRET = 'whsec_of-another-release';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return expect.fail('nothing was thrown');
}

test('the log says why a function cannot read an item, and nothing of its content', () => {
  const read = () => z.object({ url: z.string() }).parse({ url: { of: SECRET } });
  const error = thrownBy(() => readOne('wh_1', read));
  expect(String(error)).not.toContain('url');
  const text = describeError(error);
  expect(text).toMatch(/cannot read what is stored of wh_1[^]*\nurl: .*expected string/);
  expect(text).not.toContain(SECRET);
});

test('the log has nothing of a stored text that is no JSON', () => {
  const text = describeError(thrownBy(() => readOne('wh_1', () => JSON.parse(SECRET) as unknown)));
  expect(text).toContain('wh_1');
  expect(text).not.toContain(SECRET);
});
