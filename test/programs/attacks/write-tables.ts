import { readFileSync, writeFileSync } from 'node:fs';
import { PAGE, withTables } from './table.ts';

/** `npm run attack-tables`: writes the responses of the attack suite into the documentation. */
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));
