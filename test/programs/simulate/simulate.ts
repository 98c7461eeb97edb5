import { readFileSync, writeFileSync } from 'node:fs';
import { backlogScenarios, backlogTable } from './backlog-scenarios.ts';
import { simulateRuns } from './runs-queue.ts';
import { simulationTable } from './scenarios.ts';

/** Prints the tables of docs/scale.md. `--write` puts them there. */
const PAGE = new URL('../../../docs/scale.md', import.meta.url);
const tables = [simulationTable(), backlogTable(backlogScenarios.map(simulateRuns))];
process.stdout.write(`${tables.join('\n\n')}\n`);
if (process.argv.includes('--write')) {
  const left = [...tables];
  const page = readFileSync(PAGE, 'utf8').replace(
    /(<!-- oxfmt-ignore-start -->\n\n)[^]*?(\n\n<!-- oxfmt-ignore-end -->)/g,
    (_, before: string, after: string) => `${before}${left.shift() ?? ''}${after}`,
  );
  writeFileSync(PAGE, page);
}
