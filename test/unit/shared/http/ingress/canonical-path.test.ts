import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatewayPath } from '../../../../../infra/embedded/http-api/forms.ts';
import { canonicalPath } from '../../../../../shared/http/ingress/canonical-path.ts';

test.each([
  ['/id/a/b.json', '/id/a/b.json'],
  ['/id/a%20b', '/id/a%20b'],
  ['/id/a b', '/id/a%20b'],
  ['/id/%CE%BB', '/id/%CE%BB'],
  ['/id/λ', '/id/%CE%BB'],
  ['/id/a%23b', '/id/a%23b'],
  ['/id/a#b', '/id/a%23b'],
  ['/id/a@b:c,d;e=f', '/id/a@b:c,d;e=f'],
  ['/id/a%40b', '/id/a@b'],
  ['/id/a%2Fb', '/id/a/b'],
  ['/id/a%3Fb', '/id/a'],
  ['/id/100%', '/id/100%25'],
  ['/id/%zz', '/id/%25zz'],
  ['/id/%FF', '/id/%FF'],
  ['/id/a\ud800b', '/id/a%EF%BF%BDb'],
])('%j becomes %s', (rawPath, path) => {
  expect(canonicalPath(rawPath)).toBe(path);
});

test('a path is the same whether the gateway decoded it or not', () => {
  const piece = fc.oneof(
    fc.constantFrom('%', '%25', '%2F', '%3f', '%20', '%CE%BB', '%2525', '?', '/', 'a', '2', 'F', '#', '%FF'),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
  );
  const paths = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('').split('?')[0] ?? ''}`);
  fc.assert(
    fc.property(paths, (path) => {
      const form = gatewayPath(path);
      // The gateway refuses the other ones itself.
      if (form !== undefined) expect(canonicalPath(form)).toBe(canonicalPath(path));
    }),
    { numRuns: 2_000 },
  );
});

test('the work for a path is bounded', () => {
  const deep = `/${'%25'.repeat(3_000)}41`;
  const started = process.cpuUsage();
  canonicalPath(deep);
  expect(process.cpuUsage(started).user / 1_000, 'ms of the processor').toBeLessThan(250);
});
