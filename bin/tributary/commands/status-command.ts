import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { Source, Webhook } from '../session/response-schemas.ts';

/** Newer members may be absent in the response of an earlier release. */
const Account = z.looseObject({
  id: z.string(),
  app: z.string(),
  name: z.string().nullish(),
  status: z.string().default('connected'),
  status_reason: z.string().nullish(),
});

interface Problem {
  id: string;
  kind: 'account' | 'source' | 'webhook';
  name: string;
  problem: string;
}

/** `status`: accounts that need a new sign-in, sources and webhooks that are off because of failures. */
export function addStatusCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'status',
    about:
      'Show accounts that need a new sign-in, and sources and webhooks that are off because they failed.',
    input: z.object({}),
    examples: [
      ['tributary status', 'nothing but the headings when all is well'],
      ['tributary status -q', 'the ids only'],
    ],
    run: async ({ api: connect, output }) => {
      const api = await connect();
      const problems = [
        ...(await api.list('/users/me/accounts', Account)).flatMap(accountProblem),
        ...(await api.list('/users/me/sources', Source)).flatMap(sourceProblem),
        ...(await api.list('/users/me/webhooks', Webhook)).flatMap(webhookProblem),
      ];
      output.list(problems, [
        { heading: 'KIND', of: ({ kind }) => kind },
        { heading: 'ID', of: ({ id }) => id },
        { heading: 'NAME', of: ({ name }) => name },
        { heading: 'PROBLEM', of: ({ problem }) => problem },
      ]);
    },
  });
}

function accountProblem({
  id,
  app,
  name,
  status,
  status_reason: reason,
}: z.infer<typeof Account>): Problem[] {
  if (status === 'connected') return [];
  const why = reason == null ? '' : `: ${reason}`;
  const mend = status === 'needs_reconnect' ? ` Run: tributary accounts reconnect ${id}` : '';
  return [{ kind: 'account', id, name: name ?? app, problem: `${status}${why}${mend}` }];
}

const sourceProblem = ({ id, name_slug: name, state }: Source): Problem[] =>
  state === 'failed' ? [{ kind: 'source', id, name, problem: 'a hook failed, so the source is off' }] : [];

const webhookProblem = ({ id, name, url, disabled_reason: reason }: Webhook): Problem[] =>
  reason == null ? [] : [{ kind: 'webhook', id, name: name ?? url, problem: `off: ${reason}` }];
