import * as z from 'zod';
import type { CommandTree } from './command-tree.ts';
import { LIMIT, Limited } from './shared-options.ts';
import { localSeconds } from './times.ts';

const Workflow = z.looseObject({
  id: z.string(),
  name: z.string(),
  target: z.string(),
  ingest_url: z.string(),
  created_at: z.number(),
});

const Account = z.looseObject({
  id: z.string(),
  app: z.string(),
  name: z.string().nullish(),
  created_at: z.number(),
});

/** `workflows list` and `accounts list`; operators make both. */
export function addAccountCommands({ group, leaf }: CommandTree): void {
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
        { heading: 'INGEST URL', of: ({ ingest_url: url }) => url },
        { heading: 'CREATED', of: ({ created_at: at }) => localSeconds(at) },
      ]);
    },
  });
  leaf(group('accounts', 'Connected accounts of apps.'), {
    usage: 'list',
    about: 'List your connected accounts, without their fields.',
    options: [['--app <app>', 'only accounts of this app'], LIMIT],
    input: Limited.extend({ app: z.string().optional() }),
    examples: [
      ['tributary accounts list', 'all of them'],
      ['tributary accounts list --app github', 'those of one app'],
    ],
    run: async ({ api, output }, { app, limit }) => {
      output.list(await (await api()).list('/users/me/accounts', Account, { query: { app }, limit }), [
        { heading: 'ID', of: ({ id }) => id },
        { heading: 'APP', of: ({ app: slug }) => slug },
        { heading: 'NAME', of: ({ name }) => name },
        { heading: 'CREATED', of: ({ created_at: at }) => localSeconds(at) },
      ]);
    },
  });
}
