import * as z from 'zod';
import { Webhook } from '../session/response-schemas.ts';
import { Count, type CommandTree } from '../command-tree.ts';
import { confirmDelete } from '../input/confirm.ts';
import { usageFailure } from '../failures.ts';
import { assignmentOf } from '../input/prop-values.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { Confirmed, LIMIT, Limited, YES } from './shared-options.ts';
import { noteSecret, webhookColumns, webhookDetails } from '../output/webhook-columns.ts';
import { addWebhookActions } from './webhook-actions.ts';

const Named = z.object({ webhook: z.string() });

const SETTINGS = [
  ['--name <name>', 'name'],
  ['--description <text>', 'description'],
  ['--header <name=value...>', 'header of every delivery'],
] as const;
const Settings = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  header: z.array(z.string()).optional(),
});

/** `none` and an empty text remove the limit. */
const RateLimit = z.union(
  [z.enum(['none', '']).transform(() => null), Count],
  'must be a whole number, 1 or more, or none',
);

/** `webhooks create | list | get | update | enable | disable | delete`, and what a webhook does. */
export function addWebhookCommands(tree: CommandTree): void {
  const { group, leaf } = tree;
  const webhooks = group('webhooks', 'Addresses of yours that receive events.');
  leaf(webhooks, {
    usage: 'create <url>',
    about: 'Create a webhook, and print its signing secret, once.',
    options: [...SETTINGS, ['--rate-limit <count>', 'attempts a second']],
    input: Settings.extend({ url: z.string(), rateLimit: Count.optional() }),
    examples: [
      ['tributary webhooks create https://shop.example.com/hooks --name shop', 'with a name'],
      [
        'tributary webhooks create https://shop.example.com/hooks --header X-Team=shop --rate-limit 50',
        'with a header',
      ],
    ],
    run: async ({ api: connect, output }, { url, name, description, header, rateLimit }) => {
      const api = await connect();
      const body = { url, name, description, ...headersBody(header), rate_limit: rateLimit };
      const made = await api.send('POST', '/webhooks', Webhook, { body });
      output.object(made, [...webhookDetails, { heading: 'SECRET', of: ({ secret }) => secret }]);
      noteSecret(output, made);
    },
  });
  leaf(webhooks, {
    usage: 'list',
    about: 'List your webhooks, newest first.',
    options: [LIMIT],
    input: Limited,
    examples: [
      ['tributary webhooks list', 'all of them, with the outcome of their last attempt'],
      ['tributary webhooks list -q', 'their ids only'],
    ],
    run: async ({ api, output }, { limit }) => {
      output.list(await (await api()).list('/users/me/webhooks', Webhook, { limit }), webhookColumns);
    },
  });
  leaf(webhooks, {
    usage: 'get <webhook>',
    about: 'Show a webhook, by id, name or address.',
    input: Named,
    examples: [
      ['tributary webhooks get shop', 'by its name'],
      ['tributary webhooks get https://shop.example.com/hooks', 'by its address'],
    ],
    run: async ({ api: connect, output }, { webhook }) => {
      const api = await connect();
      output.object(await api.get(pathOf(await webhookNamed(api, webhook)), Webhook), webhookDetails);
    },
  });
  leaf(webhooks, {
    usage: 'update <webhook> [url]',
    about: 'Change the address or the settings of a webhook.',
    options: [
      ...SETTINGS,
      ['--no-headers', 'remove all headers'],
      ['--rate-limit <count>', 'attempts a second, or none'],
      ['--active <boolean>', 'true switches it on, false off'],
    ],
    input: Settings.extend({
      webhook: z.string(),
      url: z.string().optional(),
      headers: z.boolean().optional(),
      rateLimit: RateLimit.optional(),
      active: z.enum(['true', 'false'], 'must be true or false').optional(),
    }),
    examples: [
      ['tributary webhooks update shop https://shop.example.com/v2/hooks', 'another address'],
      ['tributary webhooks update shop --rate-limit 50', 'at most 50 attempts a second'],
    ],
    run: async ({ api: connect, output }, { webhook, url, name, description, ...input }) => {
      const headers = input.headers === false ? { headers: {} } : headersBody(input.header);
      const body = {
        url,
        name: orNull(name),
        description: orNull(description),
        ...headers,
        rate_limit: input.rateLimit,
        active: input.active === undefined ? undefined : input.active === 'true',
      };
      if (Object.values(body).every((value) => value === undefined))
        throw usageFailure('Name what to change: an address or an option.');
      const api = await connect();
      const path = pathOf(await webhookNamed(api, webhook));
      output.object(await api.send('PUT', path, Webhook, { body }), webhookDetails);
    },
  });
  leaf(webhooks, {
    usage: 'enable <webhook>',
    about: 'Switch a webhook on; `webhooks recover` sends the deliveries that it held.',
    input: Named,
    examples: [
      ['tributary webhooks enable shop', 'also one that is off because it failed'],
      ['tributary webhooks enable wh_1a2b3c', 'the same by id'],
    ],
    run: (session, { webhook }) => switched(session, webhook, true),
  });
  leaf(webhooks, {
    usage: 'disable <webhook>',
    about: 'Switch a webhook off; its deliveries are held.',
    input: Named,
    examples: [
      ['tributary webhooks disable shop', 'nothing is sent to it'],
      ['tributary webhooks disable wh_1a2b3c', 'the same by id'],
    ],
    run: (session, { webhook }) => switched(session, webhook, false),
  });
  leaf(webhooks, {
    usage: 'delete <webhook>',
    about: 'Delete a webhook with its deliveries and subscriptions.',
    options: [YES],
    input: Named.extend(Confirmed.shape),
    examples: [
      ['tributary webhooks delete shop', 'asks before'],
      ['tributary webhooks delete shop --yes', 'does not ask'],
    ],
    run: async (session, { webhook, yes }) => {
      const api = await session.api();
      const id = await webhookNamed(api, webhook);
      await confirmDelete(session, `the webhook ${webhook}`, yes);
      await api.delete(pathOf(id));
      session.output.deleted(id);
    },
  });
  addWebhookActions(tree, webhooks);
}

const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`;

async function switched({ api: connect, output }: Session, webhook: string, active: boolean): Promise<void> {
  const api = await connect();
  const path = pathOf(await webhookNamed(api, webhook));
  const changed = await api.send('PUT', path, Webhook, { body: { active } });
  output.object(changed, webhookDetails);
  const held = changed.held_count ?? 0;
  if (active && held > 0 && output.hasColumns)
    output.note(`${held} held: tributary webhooks recover ${changed.id} --since 14d sends them.`);
}

/** An empty text clears a member. */
const orNull = (text: string | undefined) => (text === '' ? null : text);

function headersBody(lines: readonly string[] | undefined): { headers?: Record<string, string> } {
  if (lines === undefined) return {};
  const pairs = lines.map((line) => assignmentOf('--header', line));
  return { headers: Object.fromEntries(pairs.map(({ name, text }) => [name, text])) };
}
