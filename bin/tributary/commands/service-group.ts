import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';

/** The service of this program: its start, and the commands of its operator. */
export interface ServiceAccess {
  /** Runs the service until a signal stops it. */
  run(options: { paused: boolean }): Promise<never>;
  addAdmin(tree: CommandTree, admin: Command): Promise<void>;
}

/** `start` and `admin`, for the person who runs the service. */
export function addServiceCommands(tree: CommandTree, { run, addAdmin }: ServiceAccess): void {
  tree.leaf(tree.program, {
    usage: 'start',
    about: 'Run the service on this machine. Its settings are environment variables, see docs/embedded.md.',
    options: [['--paused', 'serve the API; deliver nothing, run nothing, fire no timer']],
    input: z.object({ paused: z.boolean().default(false) }),
    examples: [
      ['tributary start', 'at http://127.0.0.1:3000, with all data in ./.data'],
      ['PORT=8080 DATA_DIR=/var/lib/tributary tributary start', 'at another port, with the data in another place'],
    ],
    run: async (_, options) => {
      await run(options);
    },
  });
  const about = 'Manage users, components, workflows, accounts and dead letters as the operator.';
  tree.lazyGroup('admin', about, (admin) => addAdmin(tree, admin));
}
