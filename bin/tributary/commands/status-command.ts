import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { lastOutcomeOf } from '../output/webhook-columns.ts';
import { Account, Source, Webhook } from '../session/response-schemas.ts';

interface Problem {
  id: string;
  kind: 'account' | 'source' | 'webhook';
  name: string;
  problem: string;
}

/** `status`: accounts that are not in order, sources that are off because of failures, and webhooks that fail or are off because of it. */
export function addStatusCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'status',
    about:
      'Show accounts that are not in order, webhooks that fail, and sources and webhooks that are off because they failed.',
    input: z.object({}),
    examples: [
      ['tributary status', 'nothing but the headings when all is well'],
      ['tributary status -q', 'the ids only'],
    ],
    run: async ({ api: connect, output }) => {
      const api = await connect();
      const [accounts, sources, webhooks] = await Promise.all([
        api.list('/users/me/accounts', Account),
        api.list('/users/me/sources', Source),
        api.list('/users/me/webhooks', Webhook),
      ]);
      const problems = [
        ...accounts.flatMap(accountProblem),
        ...sources.flatMap(sourceProblem),
        ...webhooks.flatMap((webhook) => webhookProblem(webhook, output.time)),
      ];
      output.list(problems, [
        { heading: 'KIND', of: ({ kind }) => kind },
        { heading: 'ID', isWhole: true, of: ({ id }) => id },
        { heading: 'NAME', of: ({ name }) => name },
        { heading: 'PROBLEM', of: ({ problem }) => problem },
      ]);
    },
  });
}

function accountProblem({ id, app, name, status, status_reason: reason }: Account): Problem[] {
  if (status === undefined || status === 'connected') return [];
  const why = reason == null ? '' : `: ${reason}`;
  const mend = status === 'needs_reconnect' ? runText('accounts reconnect', id) : '';
  return [{ kind: 'account', id, name: name ?? app, problem: `${sentence(`${status}${why}`)}${mend}` }];
}

const sourceProblem = ({ id, name_slug: name, state }: Source): Problem[] =>
  state === 'failed'
    ? [
        {
          kind: 'source',
          id,
          name,
          problem: `a hook failed, so the source is off.${runText('errors', name)}`,
        },
      ]
    : [];

function webhookProblem(webhook: Webhook, time: (ms: number) => string): Problem[] {
  const { id, name, url, disabled_reason: reason, failing_since_ms: since } = webhook;
  const problem = (text: string): Problem[] => [{ kind: 'webhook', id, name: name ?? url, problem: text }];
  if (reason === 'gone' || reason === 'failing')
    return problem(`off: ${reason}.${runText('webhooks enable', id)}`);
  if (since == null || !webhook.active) return [];
  // The newest attempt may have succeeded while others fail.
  const outcome = webhook.last_attempt?.outcome === 'delivered' ? '' : `: ${lastOutcomeOf(webhook)}`;
  return problem(`failing since ${time(since)}${outcome}.${runText('deliveries', id)}`);
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const runText = (...words: string[]): string => ` Run: tributary ${words.join(' ')}`;
