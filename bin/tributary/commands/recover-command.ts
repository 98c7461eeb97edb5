import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { CommandFailure, refusedFailure, usageFailure } from '../failures.ts';
import { sinceOption } from '../input/time-option.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import { lastOutcomeOf } from '../output/webhook-columns.ts';
import { commandWith, shellWord } from '../output/shell-word.ts';
import { sentText } from '../output/sent-text.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';
import { Webhook } from '../session/response-schemas.ts';
import { NO_WAIT } from './shared-options.ts';

const Recovery = z.looseObject({
  id: z.string(),
  status: z.enum(['running', 'done']),
  found: z.number(),
  sent: z.number(),
  /** Null for a job that an earlier release started. */
  delivered: z.number().nullish(),
});
type Recovery = z.infer<typeof Recovery>;

const Input = z.object({ webhook: z.string(), since: z.string().optional(), wait: z.boolean().optional() });

/** `webhooks recover`. */
export function addRecoverCommand({ leaf }: CommandTree, webhooks: Command): void {
  leaf(webhooks, {
    usage: 'recover <webhook>',
    about:
      'Send every failed, held and retrying delivery since a time again, and say how many were delivered. The job goes on at the service while the webhook fails.',
    options: [
      ['--since <time>', 'such as 2h, 3d or 2026-11-22T10:00:00Z'],
      ['--wait', 'wait for its end also while the webhook fails'],
      NO_WAIT,
    ],
    input: Input,
    examples: [
      ['tributary webhooks recover shop --since 2h', 'of the last two hours; exit 1 if one fails again'],
      ['tributary webhooks recover shop --since 2026-11-22T10:00:00Z', 'since a time'],
    ],
    run: recover,
  });
}

const POLL_MS = 500;

async function recover(session: Session, { webhook, since, wait }: z.infer<typeof Input>): Promise<void> {
  const { output, terminal } = session;
  if (since === undefined) throw usageFailure('The time is missing: add --since, such as --since 2h.');
  const from = sinceOption('--since', since, Date.now());
  const signal = terminal.interrupted();
  const api = await session.api();
  const path = `/webhooks/${encodeURIComponent(await webhookNamed(api, webhook))}`;
  let job = await api.send('POST', `${path}/recover`, Recovery, { body: { since: from } }).catch((error: unknown) => {
    const isOff = error instanceof CommandFailure && error.report.code === 'webhook_inactive';
    throw isOff ? refusedFailure(offText(webhook), 'webhook_inactive') : error;
  });
  let shown: Recovery | undefined;
  let isNoted = false;
  for (;;) {
    if (shown?.sent !== job.sent || shown.status !== job.status) output.follow(job, textOf(job));
    shown = job;
    if (job.status === 'done' || signal.aborted || wait === false) break;
    const failure = isNoted ? undefined : await failureOf(api, path, output.time);
    if (failure !== undefined) {
      output.note(failure);
      if (wait === undefined) return;
      isNoted = true;
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    job = await api.get(`${path}/recover`, Recovery);
  }
  const failed = job.status === 'done' ? job.sent - (job.delivered ?? job.sent) : 0;
  if (failed === 0) return;
  const listed = commandWith('tributary deliveries', webhook, `--since ${since}`);
  throw refusedFailure(
    `${failed} of ${job.sent} deliveries failed again; \`${listed}\` lists them.`,
    'delivery_failed',
  );
}

const offText = (webhook: string): string =>
  `${webhook} is off, so nothing can be sent: \`tributary webhooks enable ${shellWord(webhook)}\` first.`;

/** Why the job does not go on now. An attempt that is due is waited for. */
async function failureOf(api: Api, path: string, time: (ms: number) => string): Promise<string | undefined> {
  const webhook = await api.get(path, Webhook);
  const { next_attempt_ms: next } = webhook;
  if (next == null || next <= Date.now()) return undefined;
  return `The webhook fails at the moment (${lastOutcomeOf(webhook)}). The next attempt is at ${time(next)}; the job goes on when it succeeds.`;
}

function textOf({ status, found, sent, delivered }: Recovery): string {
  if (status === 'running') return `running: ${sent} of ${found} sent`;
  return delivered == null ? `${sent} of ${found} sent` : sentText(sent, delivered);
}
