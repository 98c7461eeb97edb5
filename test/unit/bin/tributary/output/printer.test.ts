import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createOutput } from '../../../../../bin/tributary/output/printer.ts';
import type { Column } from '../../../../../bin/tributary/output/text-table.ts';
import { noteSecret } from '../../../../../bin/tributary/output/webhook-columns.ts';

const NOW = Date.parse('2026-11-22T23:59:59');
const columns: readonly Column<{ id: string; at: number }>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'TIME', at: ({ at }) => at },
  { heading: 'LONG ID', isWide: true, of: ({ id }) => `${id}-and-a-long-text` },
];
const item = { id: 'dc_1', at: Date.parse('2026-11-22T23:24:30') };

/** The output of a command in a pipe or on a terminal, and its standard error. */
function output({ width, isWide = false, quiet = false }: { width?: number; isWide?: boolean; quiet?: boolean }) {
  const [out, error] = [new PassThrough(), new PassThrough()];
  const stdout = width === undefined ? out : Object.assign(out, { isTTY: true, columns: width });
  const created = createOutput(
    { stdout, stderr: error, env: { NO_COLOR: '1' } },
    { json: false, quiet, isWide, now: () => NOW },
  );
  return { created, out: () => String(out.read() ?? ''), error: () => String(error.read() ?? '') };
}

test.each([
  ['a terminal', { width: 80 }, 'ID    TIME\ndc_1  23:24:30\n'],
  ['a pipe', {}, 'ID\tTIME\ndc_1\t2026-11-22 23:24:30\n'],
  [
    'a narrow terminal with -o wide',
    { width: 20, isWide: true },
    'ID    TIME                 LONG ID\ndc_1  2026-11-22 23:24:30  dc_1-and-a-long-text\n',
  ],
])('%s shows its columns and times', (_, options, text) => {
  const { created, out } = output(options);
  created.list([item], columns);
  expect(out()).toBe(text);
});

test('-q leaves the secret of a new webhook to standard error', () => {
  const webhook = { id: 'wh_1', name: null, url: 'x', active: true, created_at: 0, secret: 'whsec_1' };
  const { created, out, error } = output({ quiet: true });
  created.object(webhook, []);
  noteSecret(created, webhook);
  expect(out()).toBe('wh_1\n');
  expect(error()).toContain('whsec_1');
});
