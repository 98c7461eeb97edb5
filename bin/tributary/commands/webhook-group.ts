import type { Command } from 'commander';
import * as z from 'zod';
import { WEBHOOK_TEXTS } from '../../../shared/domain/setting-texts.ts';
import type { WebhookSettings } from '../../../shared/domain/webhook/webhook.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import { Webhook } from '../session/response-schemas.ts';
import { Count, type CommandTree, type OptionLine } from '../command-tree.ts';
import { confirmDelete } from '../input/confirm.ts';
import { usageFailure } from '../failures.ts';
import { assignmentOf } from '../input/prop-values.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { Confirmed, LIMIT, Limited, settingOption, YES } from './shared-options.ts';
import { noteSecret, webhookColumns, webhookDetails } from '../output/webhook-columns.ts';
import { addWebhookActions } from './webhook-actions.ts';

const Named = z.object({ webhook: z.string() });

/** The address is an argument. */
const { active: ACTIVE, ...OPTIONS } = {
  name: settingOption('--name <name>', WEBHOOK_TEXTS.name),
  description: settingOption('--description <text>', WEBHOOK_TEXTS.description),
  headers: settingOption('--header <name=value...>', WEBHOOK_TEXTS.headers),
  rate_limit: settingOption('--rate-limit <count|none>', WEBHOOK_TEXTS.rate_limit),
  active: settingOption('--active <true|false>', WEBHOOK_TEXTS.active),
} satisfies Omit<WireFields<WebhookSettings, OptionLine>, 'url'>;
/** `none` and an empty text remove the limit. */
const RateLimit = z.union(
  [z.enum(['none', '']).transform(() => null), Count],
  'must be a whole number, 1 or more, or none',
);

const Settings = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  header: z.array(z.string()).optional(),
  rateLimit: RateLimit.optional(),
});

/** `webhooks create | list | get | update | enable | disable | delete`, and what a webhook does. */
export function addWebhookCommands(tree: CommandTree): void {
  const webhooks = tree.group('webhooks', 'Addresses of yours that receive events.');
  addSettingCommands(tree, webhooks);
  addStateCommands(tree, webhooks);
  addWebhookActions(tree, webhooks);
}

function addSettingCommands({ leaf }: CommandTree, webhooks: Command): void {
  leaf(webhooks, {
    usage: 'create <url>',
    about: 'Create a webhook, and print its signing secret, once.',
    options: Object.values(OPTIONS),
    input: Settings.extend({ url: z.string() }),
    examples: [
      ['tributary webhooks create https://shop.example.com/hooks --name shop', 'with a name'],
      [
        'tributary webhooks create https://shop.example.com/hooks --header X-Team=shop --rate-limit 50',
        'with a header',
      ],
    ],
    run: async ({ api: connect, output }, { url, name, description, header, rateLimit }) => {
      const api = await connect();
      // The API makes active webhooks only.
      const body = {
        url,
        name,
        description,
        headers: headersOf(header),
        rate_limit: rateLimit,
      } satisfies Omit<WireFields<WebhookSettings, unknown>, 'active'>;
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
}

function addStateCommands({ leaf }: CommandTree, webhooks: Command): void {
  leaf(webhooks, {
    usage: 'update <webhook> [url]',
    about: 'Change the address or the settings of a webhook.',
    options: [...Object.values(OPTIONS), ['--no-headers', 'remove all headers'], ACTIVE],
    input: Settings.extend({
      webhook: z.string(),
      url: z.string().optional(),
      headers: z.boolean().optional(),
      active: z.enum(['true', 'false'], 'must be true or false').optional(),
    }),
    examples: [
      ['tributary webhooks update shop https://shop.example.com/v2/hooks', 'another address'],
      ['tributary webhooks update shop --rate-limit 50', 'at most 50 attempts a second'],
    ],
    run: async ({ api: connect, output }, { webhook, url, name, description, ...input }) => {
      const body = {
        url,
        name: orNull(name),
        description: orNull(description),
        headers: input.headers === false ? {} : headersOf(input.header),
        rate_limit: input.rateLimit,
        active: input.active === undefined ? undefined : input.active === 'true',
      } satisfies WireFields<WebhookSettings, unknown>;
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

function headersOf(lines: readonly string[] | undefined): Record<string, string> | undefined {
  const pairs = lines?.map((line) => assignmentOf('--header', line));
  return pairs && Object.fromEntries(pairs.map(({ name, text }) => [name, text]));
}
