import { readFileSync, writeFileSync } from 'node:fs';
import { noNames, programArguments } from '../../support/program-arguments.ts';
import { PAGE, withTables } from './table.ts';

/** `npm run attack-tables`: writes the responses of the attack suite into the documentation. */
programArguments({
  usage: 'npm run attack-tables',
  does: `Runs the attack suite, and writes the tables of ${PAGE}.`,
  names: noNames,
  options: {},
});
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));
