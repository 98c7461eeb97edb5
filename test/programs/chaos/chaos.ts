import { parseArgs } from 'node:util';
import { endure } from './endure.ts';

/**
 * `npm run chaos -- --minutes 10`: runs the service under a random workload, kills it with SIGKILL at random moments, starts it again,
 * and checks that nothing acknowledged was lost. `--seed` repeats the choices of a run.
 */

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error('Usage: npm run chaos -- [--minutes N] [--seed N]');

console.log(`Seed ${seed}, ${minutes} minutes`);
const { checks, broken } = await endure({
  minutes,
  seed,
  onKill: (kill) => {
    console.log(JSON.stringify(kill));
  },
});
console.table(checks);
for (const sentence of broken.slice(0, 50)) console.log(`BROKEN: ${sentence}`);
console.log(broken.length === 0 ? 'Every promise held.' : `${broken.length} promises broke.`);
process.exit(broken.length === 0 ? 0 : 1);
