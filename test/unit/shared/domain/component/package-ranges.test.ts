import { expect, test } from 'vitest';
import { addRanges } from '../../../../../shared/domain/component/package-ranges.ts';

const manifest = (dependencies: object) => JSON.stringify({ dependencies });

test('the nearest package.json decides, and one whose range is a path or an address leaves the package to a farther one', () => {
  const ranges = new Map<string, string>();
  const near = manifest({ own: 'file:../own', shared: 'workspace:*', odd: 7, none: '', axios: '^1' });
  expect(addRanges(ranges, near)).toBe(true);
  expect(addRanges(ranges, manifest({ axios: '^0.27', shared: '~2.0' }))).toBe(true);
  expect(addRanges(ranges, manifest({ axios: '^0.27' }))).toBe(false);
  expect(Object.fromEntries(ranges)).toEqual({ axios: '^1', shared: '~2.0' });
});

test.each(['', 'no JSON', '[]', '{"dependencies":7}', '{}'])('the text %o has no ranges', (text) => {
  const ranges = new Map<string, string>();
  expect(addRanges(ranges, text)).toBe(false);
  expect(ranges.size).toBe(0);
});
