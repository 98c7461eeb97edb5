import { availableParallelism, loadavg } from 'node:os';
import { apiRates } from './api.ts';
import { budgets } from './budgets.ts';
import { loadTimes } from './load.ts';
import { runtime } from './runtime.ts';
import { throughput } from './throughput.ts';

/** `npm run bench`: what this machine does. Seconds differ between machines and with what else runs; the counted figures do not. */
console.log(
  `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} before`,
);
console.log('\nHTTP in → user code → stored → signed webhook out');
const rows = [];
for (const setting of [
  { sources: 1, webhooks: 1, events: 20_000 },
  { sources: 16, webhooks: 1, events: 20_000 },
  { sources: 1, webhooks: 10, events: 3_000 },
  { sources: 16, webhooks: 10, events: 3_000 },
]) {
  rows.push(await throughput(setting));
}
console.table(rows);
console.log('API and start');
console.table([await apiRates()]);
console.log('Bundles of the functions: at most 450 KB each, loaded within 80 ms');
console.table(await loadTimes());
console.log('Component runtime');
console.table(await runtime());
console.log('Counted per event');
console.table(await budgets());
process.exit(0);
