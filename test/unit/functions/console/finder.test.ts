import { expect, test } from 'vitest';
import { soughtId } from '../../../../functions/console/app/finder/sought-id.ts';

test('whole ids of events and deliveries are told from other texts', () => {
  const delivery = `dl_${'0'.repeat(24)}`;
  expect(soughtId(' 1795798332005-1 ')).toEqual({ kind: 'event', id: '1795798332005-1' });
  expect(soughtId(delivery)).toEqual({ kind: 'delivery', id: delivery });
  for (const text of ['', '12-1', 'dl_1', 'dc_000000000000000000000000', '1795798332005-', 'Order 1-2'])
    expect(soughtId(text), text).toBeUndefined();
});
