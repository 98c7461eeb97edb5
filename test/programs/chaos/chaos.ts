import * as z from 'zod';
import { noNames, positiveNumber, programArguments } from '../../support/program-arguments.ts';
import { endure } from './endure.ts';

/**
 * `npm run chaos -- --minutes 10`: runs the service under a random workload, kills it with SIGKILL at random moments,
 * starts it again, and checks that nothing acknowledged was lost. `--seed` repeats the choices of a run.
 */

const {
  values: { minutes, seed },
} = programArguments({
  usage: 'npm run chaos -- [OPTION …]',
  does: 'Kills the service under a random workload again and again, and checks that nothing acknowledged was lost.',
  names: noNames,
  options: {
    minutes: positiveNumber.default(1).describe('how long, 1 by default'),
    seed: z
      .string()
      .regex(/^\d+$/, 'must be a whole number.')
      .transform(Number)
      .default(Date.now() % 1_000_000)
      .describe('repeats the choices of a run'),
  },
});

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
