import { readFileSync, writeFileSync } from 'node:fs';
import { simulationTable } from './scenarios.ts';

/** Prints the table of docs/scale.md. `--write` puts it there. */
const PAGE = new URL('../../../docs/scale.md', import.meta.url);
const table = simulationTable();
process.stdout.write(`${table}\n`);
if (process.argv.includes('--write')) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(
      /(<!-- oxfmt-ignore-start -->\n\n)[^]*(\n\n<!-- oxfmt-ignore-end -->)/,
      (_, before: string, after: string) => `${before}${table}${after}`,
    ),
  );
}
