import { describe, expect, test } from 'vitest';
import { MetricsInput } from '../../../../../shared/http/metrics/metric-parameters.ts';

const parsed = (source_id: string) => MetricsInput.safeParse({ measure: 'events', source_id });
const many = (count: number) => Array.from({ length: count }, (_, n) => `dc_${n}`).join(',');

describe('source_id of metrics', () => {
  test('is one id, or several with commas between them, each of which counts once', () => {
    expect(parsed('dc_1').data?.source_id).toEqual(['dc_1']);
    expect(parsed('dc_1,dc_2,dc_1').data?.source_id).toEqual(['dc_1', 'dc_2']);
    expect(parsed(many(100)).data?.source_id).toHaveLength(100);
  });

  test.each([
    ['dc_1,wh_2', 'must be the id of a source (dc_…)'],
    ['dc_1,', 'must be the id of a source (dc_…)'],
    [many(101), 'must be at most 100 ids'],
  ])('%.12s… is refused with a message that names it', (text, message) => {
    expect(parsed(text).error?.issues).toMatchObject([{ path: ['source_id'], message }]);
  });
});
