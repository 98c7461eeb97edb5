import { readFileSync } from 'node:fs';

/** Cells of the rows of the table in a section of a page. Rows begin with code. */
export function tableIn(page: string, heading: string): string[][] {
  const [, section = ''] = readFileSync(page, 'utf8').split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
    row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}
