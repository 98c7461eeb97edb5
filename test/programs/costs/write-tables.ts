import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { counted } from '../../support/counted.ts';
import { countedAccounts } from '../../support/counted-accounts.ts';
import { countedPolls } from '../../support/counted-polls.ts';
import { countedWaiting } from '../../support/counted-waiting.ts';
import { noNames, programArguments } from '../../support/program-arguments.ts';
import { templateWithoutCode } from '../../support/stack.ts';
import { prepareCounting } from '../../support/start-counting.ts';
import { type EventCounts, readRecorded, writeRecorded } from './recorded.ts';
import { settings } from './settings.ts';
import { PAGE, withTables } from './tables.ts';

/**
 * `npm run cost-tables`: counts what events and polls use, and writes docs/costs.md from the counts. `-- --keep` keeps
 * the counts.
 */
const { values } = programArguments({
  usage: 'npm run cost-tables -- [OPTION …]',
  does: `Counts what events and polls use, and writes ${PAGE} from the counts.`,
  names: noNames,
  options: { keep: z.boolean().default(false).describe('keeps the counts of the last time') },
});
if (!values.keep) {
  const { start, remove } = await prepareCounting();
  try {
    const events: EventCounts[] = [];
    for (const { webhooks, batches, body, events: count } of settings) {
      const setting = { webhooks, batches, body };
      events.push({ ...setting, ...(await counted(start, { ...setting, events: count })) });
    }
    const poll = await countedPolls(start);
    const waiting = await countedWaiting();
    writeRecorded({ events, poll, waiting, account: await countedAccounts(start) });
  } finally {
    remove();
  }
}
const page = readFileSync(PAGE, 'utf8');
writeFileSync(PAGE, withTables(page, readRecorded(), templateWithoutCode()));
