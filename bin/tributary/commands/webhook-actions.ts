import type { Command } from 'commander';
import * as z from 'zod';
import { Webhook } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { refusedFailure, usageFailure } from '../failures.ts';
import { jsonOrFile, readAll } from '../input/read-input.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { noteSecret } from '../output/webhook-columns.ts';
import { SECRET, SECRET_VARIABLE, signingSecret } from '../input/secret-option.ts';
import { addRecoverCommand } from './recover-command.ts';
import { verifyPastedRequest } from './verify-request.ts';

const Tested = z.looseObject({
  outcome: z.string(),
  status: z.number().nullable(),
  ms: z.number(),
  answer: z.string().nullable(),
  reason: z.string().nullable(),
});

const PortalLink = z.looseObject({ url: z.string(), expires_at_ms: z.number() });

/** `webhooks test | rotate | portal | recover | verify`. */
export function addWebhookActions(tree: CommandTree, webhooks: Command): void {
  const { leaf } = tree;
  leaf(webhooks, {
    usage: 'test <webhook>',
    about: 'Send a signed test event and print the answer.',
    options: [['--data <json>', 'event to send, or @file']],
    input: z.object({ webhook: z.string(), data: z.string().optional() }),
    examples: [
      ['tributary webhooks test shop', 'sends {"test":true}'],
      [`tributary webhooks test shop --data '{"id":7}'`, 'sends this event'],
    ],
    run: async (session, { webhook, data }) => {
      const body = data === undefined ? undefined : await jsonOrFile(session.terminal, '--data', data);
      await sendTest(session, await webhookNamed(await session.api(), webhook), body);
    },
  });
  leaf(webhooks, {
    usage: 'rotate <webhook>',
    about: 'Make a new signing secret; the last one signs too for 24 hours.',
    options: [['--revoke', 'end all other secrets at once']],
    input: z.object({ webhook: z.string(), revoke: z.boolean().default(false) }),
    examples: [
      ['tributary webhooks rotate shop', 'prints the new secret, once'],
      ['tributary webhooks rotate shop --revoke', 'after a leak'],
    ],
    run: async ({ api: connect, output }, { webhook, revoke }) => {
      const api = await connect();
      const path = `/webhooks/${encodeURIComponent(await webhookNamed(api, webhook))}/secret`;
      const rotated = await api.send('POST', path, Webhook, { body: { revoke } });
      output.object(rotated, [
        { heading: 'ID', of: ({ id }) => id },
        { heading: 'SECRET', of: ({ secret }) => secret },
      ]);
      noteSecret(output, rotated);
    },
  });
  leaf(webhooks, {
    usage: 'portal <webhook>',
    about: 'Print an address where a customer of yours sees and changes this webhook for an hour.',
    options: [
      ['--name <text>', 'your name, as the head of the page'],
      ['--color <color>', 'color of the head and the buttons, such as #0b6e4f'],
    ],
    input: z.object({ webhook: z.string(), name: z.string().optional(), color: z.string().optional() }),
    examples: [
      ['tributary webhooks portal shop', 'prints the address'],
      [`tributary webhooks portal shop --name Acme --color '#0b6e4f'`, 'with a name and a color'],
    ],
    run: async ({ api: connect, output }, { webhook, name, color }) => {
      const api = await connect();
      const body = { webhook_id: await webhookNamed(api, webhook), name, color };
      const link = await api.send('POST', '/webhooks/portal_links', PortalLink, { body });
      output.result(link, link.url);
    },
  });
  addRecoverCommand(tree, webhooks);
  leaf(webhooks, {
    usage: 'verify',
    about: 'Check the signature of a request that is pasted on the standard input: headers, an empty line, the body.',
    options: [SECRET],
    input: z.object({ secret: z.string().optional() }),
    examples: [
      ['tributary webhooks verify --secret @secret.txt < request.txt', 'secret and request from files'],
      ['tributary webhooks verify --secret whsec_…', 'paste it, then press Ctrl-D'],
    ],
    run: async ({ terminal, output }, input) => {
      const secret = await signingSecret(terminal, input.secret);
      if (secret === undefined)
        throw usageFailure(`The secret is missing: add --secret whsec_…, or set ${SECRET_VARIABLE}.`);
      const checked = await verifyPastedRequest(await readAll(terminal.stdin), secret, Date.now());
      if ('problem' in checked) throw refusedFailure(checked.problem, 'invalid_signature');
      output.result({ id: checked.id, valid: true, age_seconds: checked.ageSeconds }, checked.sentence);
    },
  });
}

/** Prints the outcome of a test; one that failed ends the command with 1. */
export async function sendTest({ api: connect, output }: Session, id: string, body: unknown): Promise<void> {
  const api = await connect();
  const result = await api.send('POST', `/webhooks/${encodeURIComponent(id)}/test`, Tested, { body });
  const { outcome, status, ms, reason, answer } = result;
  const isDelivered = outcome === 'delivered';
  const text = [`${outcome}${status === null ? '' : ` ${status}`} in ${ms} ms`, reason ?? answer ?? '']
    .join('\n')
    .trimEnd();
  if (isDelivered || output.json) output.result(output.quiet ? { ...result, id } : result, text);
  if (isDelivered) return;
  throw refusedFailure(output.json ? `The test was ${outcome}.` : `The test failed: ${text}`, 'test_failed');
}
