import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import * as z from 'zod';
import { positiveNumber, programArguments } from '../../support/program-arguments.ts';
import { accounts } from './accounts.ts';
import { apiRates } from './api.ts';
import { budgets } from './budgets.ts';
import { consoleAtScale } from './console.ts';
import { dev } from './dev.ts';
import { eventSizes } from './event-sizes.ts';
import { fairness } from './fairness.ts';
import { filters } from './filters.ts';
import { floods } from './floods.ts';
import { honest } from './honest.ts';
import { isolation } from './isolation.ts';
import { live } from './live.ts';
import { loadTimes } from './load.ts';
import { lowLoad } from './low-load.ts';
import { pairs } from './pairs/pairs.ts';
import { outpost } from './peers/outpost.ts';
import { peerRows, rateRows, withTable } from './peers/peer-table.ts';
import { peers, quietPeers, runningPeer } from './peers/peers.ts';
import type { Start } from './peers/programs.ts';
import type { RunningPeer } from './peers/running-peer.ts';
import { svix } from './peers/svix.ts';
import { quiet } from './quiet.ts';
import { readers } from './readers.ts';
import { runtime } from './runtime.ts';
import { scale } from './scale.ts';
import { soak } from './soak.ts';
import { busySources } from './sources.ts';
import { throughput } from './throughput.ts';
import { timers } from './timers.ts';

/**
 * `npm run bench`: what this machine does. `npm run bench -- --help` prints the names and the options. Seconds differ
 * between machines and with what else runs; the counted figures do not. docs/benchmarks.md says more.
 */

const PAGE = 'docs/benchmarks.md';
/** They compare with something else, and run only by name. */
const COMPARISONS: readonly string[] = ['pairs', 'peers', 'rates', 'svix', 'outpost'];
/** They take longer than an hour together. */
const LONG: readonly string[] = ['honest'];

const roundsOf = (seconds: number) => ({ rounds: values.rounds, seconds: values.seconds ?? seconds });

function show(bench: string, rows: readonly Record<string, string>[]): void {
  console.table(rows);
  if (!values.write) return;
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), bench, rows));
  execFileSync('npx', ['oxfmt', PAGE]);
}

async function compareRunning(name: string, start: (peer: RunningPeer) => Start): Promise<void> {
  const { url, key, pids } = values;
  if (url === undefined || key === undefined || pids === undefined)
    throw new Error('--url, --key and --pids name the running program: see docs/benchmarks.md.');
  console.log(`Tributary and a running ${name}, rounds alternate: as fast as they go, then at fixed rates`);
  const peer = { url, key, pids: pids.split(',').map(Number) };
  const { fast, quiet } = await runningPeer(name, start(peer), roundsOf(20));
  console.table(peerRows(fast, name));
  console.table(rateRows(quiet, name));
}

const benches: Record<string, () => Promise<void>> = {
  async throughput() {
    console.log('HTTP in → user code → stored → signed webhook out');
    const rows = [];
    for (const setting of [
      { sources: 1, webhooks: 1 },
      { sources: 16, webhooks: 1 },
      { sources: 1, webhooks: 10 },
      { sources: 16, webhooks: 10 },
      { sources: 1, webhooks: 100 },
      { sources: 16, webhooks: 100 },
    ]) {
      rows.push(await throughput(setting));
    }
    console.table(rows);
  },
  async fairness() {
    console.log('Ten webhooks, some of which hang, answer 500 or drip bytes: latency of the good ones');
    console.table(await fairness({ seconds: 20 * values.minutes }));
  },
  async latency() {
    console.log('20 events/s: goals 8 ms (p50) and 15 ms (p99)');
    console.table([await lowLoad({ rate: 20, seconds: 60 * values.minutes })]);
  },
  async quiet() {
    console.log('Nothing to do: goal 4 ms of processor time a second; memory of all processes: goals 150 and 300 MB');
    console.table(await quiet());
  },
  async readers() {
    console.log('910 events/s with three readers of lists and pages, and without: goal 100 ms (p99 of accepting)');
    const load = { rate: values.rate ?? 910, seconds: 60 * values.minutes };
    console.table([await readers({ ...load, readers: 3 }), await readers({ ...load, readers: 0 })]);
  },
  async sources() {
    console.log('Sixteen busy sources against one, both alive, rounds alternate: at least 0.9 of its rate');
    console.table(await busySources(16, roundsOf(8)));
  },
  async sizes() {
    console.log('The same by the size of the event; the goal is 50 ns per further byte from 64 to 300 KB');
    console.table(await eventSizes());
  },
  async soak() {
    const { minutes, rate } = values;
    console.log(`Steady load for ${minutes} minutes`);
    const { offered, promises } = await soak({
      minutes,
      rate,
      onMinute: (minute) => {
        console.log(JSON.stringify(minute));
      },
    });
    console.log(`Offered: ${offered} events/s`);
    console.table(promises);
    if (promises.some(({ holds }) => holds === false)) process.exitCode = 1;
  },
  async api() {
    console.log('API and start');
    console.table([await apiRates()]);
  },
  async bundles() {
    console.log('Bundles of the functions: at most 850 KB each');
    console.table(await loadTimes());
  },
  async live() {
    console.log('1,000 listeners of one source at 100 events/s; goals 20 KB each, 300 ms');
    console.table([await live()]);
  },
  async runtime() {
    console.log('Component runtime');
    console.table(await runtime());
  },
  async isolation() {
    console.log('Isolation levels: goals 120 ms to the first run, 0.97 of the warm runs, 0.3 ms more for a request');
    console.table(await isolation());
  },
  async floods() {
    console.log('Floods: memory stays bounded, and everything that got a 2xx is delivered');
    console.table(await floods());
  },
  async honest() {
    console.log('Ordinary heavy work, with a stop and a kill in the middle: nothing is refused, skipped or lost');
    const rows = await honest();
    console.table(rows);
    if (rows.some(({ missing, errors, refused }) => missing + errors + refused !== '')) process.exitCode = 1;
  },
  async console() {
    console.log(
      'The console with 1,000 sources, 1,000 webhooks and 10,000 subscriptions; then a stream of 200 events/s',
    );
    const { pages, live } = await consoleAtScale();
    console.table(pages);
    console.table([live]);
  },
  async filters() {
    console.log('Filters of subscriptions');
    console.table(await filters());
  },
  async accounts() {
    console.log('Runs with a connected account: at most 1.05 of the processor time with `fields`');
    console.table(await accounts());
  },
  async timers() {
    console.log('1,000 sources with a timer of 60 s: at most 15 % of a core and 800 MB');
    console.table([await timers({ sources: 1_000, intervalSeconds: 60, seconds: 120 })]);
  },
  async scale() {
    console.log('Start and memory with 5,000 sources and 5,000 webhooks, and without');
    console.table(await scale([0, 5_000]));
  },
  async dev() {
    console.log('tributary dev: from a save to the first response of the new code; the promise is 1 s');
    console.table([await dev()]);
  },
  async pairs() {
    const { against, rate } = values;
    console.log(`This checkout against ${against}, both alive, rounds alternate: medians and quartiles of ratios`);
    console.table(await pairs({ against, rate, ...roundsOf(rate === undefined ? 4 : 10) }));
  },
  async peers() {
    console.log('Tributary, Node-RED and two floors, all alive, rounds alternate');
    show('peers', peerRows(await peers(roundsOf(30))));
  },
  async rates() {
    console.log('Tributary and Node-RED at fixed rates with one webhook, both alive, rounds alternate');
    show('rates', rateRows(await quietPeers(roundsOf(20))));
  },
  svix: () => compareRunning('Svix', svix),
  outpost: () => compareRunning('Outpost', outpost),
  async budgets() {
    console.log('Counted per event');
    console.table(await budgets());
  },
};

const known = Object.keys(benches);
const all = known.filter((name) => !COMPARISONS.includes(name) && !LONG.includes(name));
const { names, values } = programArguments({
  usage: 'npm run bench -- [NAME …] [OPTION …]',
  does: `Measures this machine. Without NAME it runs ${all.join(', ')}.\nOnly by name: ${[...COMPARISONS, ...LONG].join(', ')}. docs/benchmarks.md says more.`,
  names: z.array(
    z.enum(known, {
      error: ({ input }) => `There is no bench ${String(input)}; there are ${known.join(', ')}.`,
    }),
  ),
  options: {
    minutes: positiveNumber.default(3).describe('length of soak, fairness, latency and readers, 3 by default'),
    rate: positiveNumber
      .optional()
      .describe(
        'events per second of soak, pairs and readers; by default 70 % of the throughput, all that each takes, and 910',
      ),
    against: z
      .string()
      .default('HEAD~1')
      .describe('the other version of pairs: a commit, a folder or an archive; HEAD~1 by default'),
    rounds: positiveNumber.default(7).describe('rounds of pairs, peers, rates and sources, 7 by default'),
    seconds: positiveNumber
      .optional()
      .describe('length of a round: 4 of pairs, 8 of sources, 20 of rates and 30 of peers by default'),
    url: z.string().optional().describe('address of the running program of svix and outpost'),
    key: z.string().optional().describe('key of its API'),
    pids: z.string().optional().describe('its processes and those of its stores, with commas between'),
    write: z.boolean().default(false).describe('peers and rates write their tables into docs/benchmarks.md'),
  },
});
console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} before\n`);
for (const name of names.length > 0 ? names : all) await benches[name]?.();
process.exit();
