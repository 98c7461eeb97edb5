import { readFileSync, writeFileSync } from 'node:fs';
import { counted } from '../../support/counted.ts';
import { countedAccounts } from '../../support/counted-accounts.ts';
import { countedPolls } from '../../support/counted-polls.ts';
import { templateWithoutCode } from '../../support/stack.ts';
import { prepareCounting } from '../../support/start-counting.ts';
import { type EventCounts, readRecorded, writeRecorded } from './recorded.ts';
import { settings } from './settings.ts';
import { PAGE, withTables } from './tables.ts';

/** `npm run cost-tables`: counts what events and polls use, and writes docs/costs.md from the counts. `-- --keep` keeps the counts. */
if (!process.argv.includes('--keep')) {
  const { start, remove } = await prepareCounting();
  const events: EventCounts[] = [];
  for (const { webhooks, batches, text, events: count } of settings) {
    const setting = { webhooks, batches, text };
    events.push({ ...setting, ...(await counted(start, { ...setting, events: count })) });
  }
  const poll = await countedPolls(start);
  writeRecorded({ events, poll, account: await countedAccounts(start) });
  remove();
}
const page = readFileSync(PAGE, 'utf8');
writeFileSync(PAGE, withTables(page, readRecorded(), templateWithoutCode()));
