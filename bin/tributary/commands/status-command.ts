import * as z from 'zod';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/durations.ts';
import { redirectTarget } from '../../../shared/domain/delivery/redirect-target.ts';
import type { FailedRuns } from '../../../shared/domain/source/run-counts.ts';
import type { CommandTree } from '../command-tree.ts';
import { inBatches } from '../events/in-batches.ts';
import { shellWord } from '../output/shell-word.ts';
import { failureWords } from '../output/webhook-columns.ts';
import type { Api } from '../session/api.ts';
import { Account, Delivery, DeliveryWithAttempts, Source, Webhook } from '../session/response-schemas.ts';
import { failedRuns } from '../session/failed-runs.ts';

interface Problem {
  id: string;
  kind: 'account' | 'source' | 'webhook';
  name: string;
  problem: string;
  /** The command that shows more, or mends it. */
  next: string;
}

/**
 * `status`: webhooks that fail or are off because of it, accounts that are not in order, and sources that are off
 * because of failures or have runs that failed in the last 24 hours.
 */
export function addStatusCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'status',
    about:
      'Show webhooks that fail or are off because they failed, with what waits for them, accounts that are not in order, and sources that failed in the last 24 hours.',
    input: z.object({}),
    examples: [
      ['tributary status', 'nothing but the headings when all is well'],
      ['tributary status -q', 'the ids only'],
    ],
    run: async ({ api: connect, output }) => {
      const api = await connect();
      const now = Date.now();
      const [accounts, sources, webhooks] = await Promise.all([
        api.list('/users/me/accounts', Account),
        // A second of another clock hides no source.
        api.list('/users/me/sources', Source, { query: { failed_since: now - DAY_MS - MINUTE_MS } }),
        api.list('/users/me/webhooks', Webhook),
      ]);
      const runsOf = await failedRuns(api, sources, now);
      const { time } = output;
      const problems = [
        ...(
          await inBatches(webhooks, (webhook) =>
            webhookProblem(api, webhook, { time, handle: handleAmong(webhooks, webhook) }),
          )
        ).flat(),
        ...accounts.flatMap(accountProblem),
        ...sources.flatMap((source) => sourceProblem(source, { runs: runsOf(source), time })),
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

function sourceProblem(
  { id, name_slug: name, state, last_error_ms: at }: Source,
  { runs, time }: { runs: FailedRuns | undefined; time: (ms: number) => string },
): Problem[] {
  const problem = (text: string): Problem[] => [
    { kind: 'source', id, name, problem: text, next: nextText('errors', name) },
  ];
  if (state === 'failed') return problem('a hook failed, so the source is off.');
  if (runs === undefined || at == null) return [];
  return problem(`${runs.failed} of ${runs.all} runs failed in 24 hours, the last one ${time(at)}.`);
}

/** The name of a webhook if no other one has it, else the id. */
const handleAmong = (webhooks: readonly Webhook[], { id, name }: Webhook): string =>
  name != null && webhooks.filter((other) => other.name === name).length === 1 ? name : id;

interface WebhookTexts {
  time: (ms: number) => string;
  handle: string;
}

async function webhookProblem(api: Api, webhook: Webhook, { time, handle }: WebhookTexts): Promise<Problem[]> {
  const { id, name, url, disabled_reason: reason, failing_since_ms: since, next_attempt_ms: next } = webhook;
  const { held_count: held = 0 } = webhook;
  const problem = (parts: readonly string[], command: string): Problem[] => [
    { kind: 'webhook', id, name: name ?? url, problem: `${parts.join(', ')}.`, next: nextText(command, handle) },
  ];
  const heldText = held === 0 ? [] : [`${held} held`];
  if (reason === 'gone') return problem(['off: it answered 410 Gone', ...heldText], 'webhooks enable');
  if (reason === 'failing') return problem(['off: it failed for 5 days', ...heldText], 'webhooks enable');
  if (since == null || !webhook.active) return [];
  // The newest attempt may have succeeded while others fail.
  const isFailure = webhook.last_attempt?.outcome !== 'delivered';
  const [waiting, target] = await Promise.all([waitingText(api, id), isFailure ? redirectOf(api, webhook) : undefined]);
  const redirect = target === undefined ? '' : ` to ${target} (redirects are not followed)`;
  return problem(
    [
      `failing since ${time(since)}${isFailure ? `: ${failureWords(webhook)}${redirect}` : ''}`,
      waiting,
      ...(next == null ? [] : [`next try ${time(next)}`]),
    ],
    'deliveries',
  );
}

const deliveriesOf = (id: string): string => `/webhooks/${encodeURIComponent(id)}/deliveries`;

const Counted = z.object({ page_info: z.object({ total_count: z.number() }) });
/** The service counts no further. */
const LONGEST_COUNT = 1_000;

/** `12 wait`: the deliveries without an attempt, and those with another attempt to come. */
async function waitingText(api: Api, id: string): Promise<string> {
  const counts = await Promise.all(
    ['pending', 'retrying'].map(async (status) => {
      const text = await api.getText(deliveriesOf(id), { query: { status, limit: 1 } });
      return Counted.parse(JSON.parse(text)).page_info.total_count;
    }),
  );
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  return `${waiting}${counts.some((count) => count >= LONGEST_COUNT) ? '+' : ''} wait${waiting === 1 ? 's' : ''}`;
}

/** The address that the last attempt was redirected to. */
async function redirectOf(api: Api, { id, last_attempt: last }: Webhook): Promise<string | undefined> {
  const status = last?.status ?? 0;
  if (status < 300 || status >= 400) return undefined;
  const [newest] = await api.list(deliveriesOf(id), Delivery, { query: { outcome: 'rejected' }, limit: 1 });
  if (!newest) return undefined;
  const { attempt_log: log } = await api.get(`${deliveriesOf(id)}/${newest.id}`, DeliveryWithAttempts);
  const { response_headers: headers, status: answered } = log.at(-1) ?? {};
  return redirectTarget({ status: answered ?? 0, headers: headers?.map(pairOf) });
}

const pairOf = ({ name, value }: { name: string; value: string }): [string, string] => [name, value];

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const nextText = (command: string, handle: string): string => `tributary ${command} ${shellWord(handle)}`;
