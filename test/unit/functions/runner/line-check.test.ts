import { expect, test } from 'vitest';
import { LineCheck } from '../../../../functions/runner/line-check.ts';
import { LARGEST_EMITTED_BYTES } from '../../../../shared/domain/emitted-bytes.ts';
import { lineText } from '../../../../shared/domain/line-text.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';

test('the events of one job keep to their limit together, whoever wrote the lines', () => {
  const check = new LineCheck('job', defaultLimits);
  const json = JSON.stringify('x'.repeat(1024 * 1024 - 2));
  const line = lineText({ k: 'emit', job: 'job', json, meta: {} });
  const accepted = Array.from({ length: 40 }, () => check.accept(line)).filter((each) => each !== undefined);

  expect(accepted).toHaveLength(LARGEST_EMITTED_BYTES / json.length);
});
