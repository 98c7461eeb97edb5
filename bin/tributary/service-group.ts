import * as z from 'zod';
import type { CommandTree } from './command-tree.ts';
import { usageFailure } from './failures.ts';

/** Runs the service until a signal stops it. */
export type RunService = (options: { paused: boolean }) => Promise<never>;

/** `start` and `admin`, for the person who runs the service. */
export function addServiceCommands({ program, leaf }: CommandTree, runService: RunService): void {
  leaf(program, {
    usage: 'start',
    about: 'Run the service on this machine. Its settings are environment variables, see docs/embedded.md.',
    options: [['--paused', 'serve the API; deliver nothing, run nothing, fire no timer']],
    input: z.object({ paused: z.boolean().default(false) }),
    examples: [
      ['tributary start', 'at http://127.0.0.1:3000, with all data in ./.data'],
      [
        'PORT=8080 DATA_DIR=/var/lib/tributary tributary start',
        'at another port, with the data in another place',
      ],
    ],
    run: async (_, options) => {
      await runService(options);
    },
  });
  leaf(program, {
    usage: 'admin [words...]',
    about:
      'Manage users, workflows and accounts as the operator; "tributary admin --help" lists the commands.',
    input: z.object({}),
    examples: [
      ['tributary admin users list', 'of the service with the data directory DATA_DIR, or .data'],
      ['tributary admin users create --username NAME --email ADDRESS', 'prints the key of the new user'],
    ],
    run: () => {
      throw usageFailure('The word admin comes first: tributary admin COMMAND.');
    },
  });
}
