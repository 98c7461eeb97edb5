import { expect, test } from 'vitest';
import { HEAP_OPTIONS } from '../../../bin/heap-options.ts';
import manifest from '../../../package.json' with { type: 'json' };

test('tributary start gives Node the options that npm start gives it', () => {
  expect(manifest.scripts.start).toContain(` node ${HEAP_OPTIONS.join(' ')} `);
});
