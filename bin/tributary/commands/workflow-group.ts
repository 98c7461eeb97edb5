import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { LIMIT, Limited } from './shared-options.ts';

const Workflow = z.looseObject({
  id: z.string(),
  name: z.string(),
  target: z.string(),
  ingest_url: z.string(),
  created_at: z.number(),
});

/** `workflows list`; operators make them. */
export function addWorkflowCommands({ group, leaf }: CommandTree): void {
  leaf(group('workflows', 'Programs elsewhere that take part in subscriptions.'), {
    usage: 'list',
    about: 'List your workflows, newest first.',
    options: [LIMIT],
    input: Limited,
    examples: [
      ['tributary workflows list', 'all of them'],
      ['tributary workflows list -q', 'their ids only'],
    ],
    run: async ({ api, output }, { limit }) => {
      output.list(await (await api()).list('/users/me/workflows', Workflow, { limit }), [
        { heading: 'ID', of: ({ id }) => id },
        { heading: 'NAME', of: ({ name }) => name },
        { heading: 'TARGET', of: ({ target }) => target },
        { heading: 'INGEST URL', isWhole: true, drop: 1, of: ({ ingest_url: url }) => url },
        { heading: 'CREATED', drop: 2, at: ({ created_at: at }) => at * 1_000 },
      ]);
    },
  });
}
