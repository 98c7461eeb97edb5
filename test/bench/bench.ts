import { throughput } from './throughput.ts';

/** `npm run bench`: what this machine does. Figures of machines differ; the counted ones are tests. */
const rows = [];
for (const setting of [
  { sources: 1, webhooks: 1, events: 20_000 },
  { sources: 16, webhooks: 1, events: 20_000 },
  { sources: 1, webhooks: 10, events: 4_000 },
  { sources: 16, webhooks: 10, events: 4_000 },
]) {
  rows.push(await throughput(setting));
}
console.table(rows);
