import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, withTables } from '../../../programs/attacks/table.ts';

test('docs/isolation.md has the responses of the attack suite (npm run attack-tables)', () => {
  const page = readFileSync(PAGE, 'utf8');

  expect(page).toBe(withTables(page));
});
