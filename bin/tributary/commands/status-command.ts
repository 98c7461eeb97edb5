import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { shellWord } from '../output/shell-word.ts';
import { lastOutcomeOf } from '../output/webhook-columns.ts';
import { Account, Source, Webhook } from '../session/response-schemas.ts';

interface Problem {
  id: string;
  kind: 'account' | 'source' | 'webhook';
  name: string;
  problem: string;
  /** The command that shows more, or mends it. */
  next: string;
}

/**
 * `status`: accounts that are not in order, sources that are off because of failures, and webhooks that fail or are off
 * because of it.
 */
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
        ...webhooks.flatMap((webhook) =>
          webhookProblem(webhook, { time: output.time, handle: handleAmong(webhooks, webhook) }),
        ),
      ];
      output.list(problems, [
        { heading: 'KIND', of: ({ kind }) => kind },
        // The name and the command are enough for people.
        { heading: 'ID', isWhole: true, drop: 1, of: ({ id }) => id },
        { heading: 'NAME', drop: 2, of: ({ name }) => name },
        { heading: 'PROBLEM', of: ({ problem }) => problem },
        { heading: 'NEXT', isWhole: true, drop: 3, of: ({ next }) => next },
      ]);
    },
  });
}

function accountProblem({ id, app, name, status, status_reason: reason }: Account): Problem[] {
  if (status === undefined || status === 'connected') return [];
  const why = reason == null ? '' : `: ${reason}`;
  const next = nextText(status === 'needs_reconnect' ? 'accounts reconnect' : 'accounts get', id);
  return [{ kind: 'account', id, name: name ?? app, problem: sentence(`${status}${why}`), next }];
}

const sourceProblem = ({ id, name_slug: name, state }: Source): Problem[] =>
  state === 'failed'
    ? [
        {
          kind: 'source',
          id,
          name,
          problem: 'a hook failed, so the source is off.',
          next: nextText('errors', name),
        },
      ]
    : [];

/** The name of a webhook if no other one has it, else the id. */
const handleAmong = (webhooks: readonly Webhook[], { id, name }: Webhook): string =>
  name != null && webhooks.filter((other) => other.name === name).length === 1 ? name : id;

function webhookProblem(
  webhook: Webhook,
  { time, handle }: { time: (ms: number) => string; handle: string },
): Problem[] {
  const { id, name, url, disabled_reason: reason, failing_since_ms: since } = webhook;
  const problem = (text: string, command: string): Problem[] => [
    { kind: 'webhook', id, name: name ?? url, problem: text, next: nextText(command, handle) },
  ];
  if (reason === 'gone' || reason === 'failing') return problem(`off: ${reason}.`, 'webhooks enable');
  if (since == null || !webhook.active) return [];
  // The newest attempt may have succeeded while others fail.
  const outcome = webhook.last_attempt?.outcome === 'delivered' ? '' : `: ${lastOutcomeOf(webhook)}`;
  return problem(`failing since ${time(since)}${outcome}.`, 'deliveries');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const nextText = (command: string, handle: string): string => `tributary ${command} ${shellWord(handle)}`;
