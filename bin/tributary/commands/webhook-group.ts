import type { Command } from 'commander';
import * as z from 'zod';
import { HealthName } from '../../../shared/domain/webhook/webhook-health.ts';
import { WEBHOOK_FORMATS } from '../../../shared/domain/webhook/webhook-format.ts';
import { typedTarget } from '../../../shared/domain/target/target-kind-names.ts';
import { WEBHOOK_TEXTS } from '../../../shared/domain/setting-texts.ts';
import type { WebhookSettings } from '../../../shared/domain/webhook/webhook.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import { Webhook } from '../session/response-schemas.ts';
import { Count, type CommandTree, type OptionLine } from '../command-tree.ts';
import { addBulkCommands } from '../bulk/bulk-commands.ts';
import type { BulkKind } from '../bulk/bulk-kind.ts';
import { usageFailure } from '../failures.ts';
import { assignmentOf } from '../input/prop-values.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import { LIMIT, Limited, settingOption, tagsOf, TagText, UNTAG, WITH_TAG } from './shared-options.ts';
import { noteSecret, webhookColumns, webhookDetails } from '../output/webhook-columns.ts';
import { addWebhookActions } from './webhook-actions.ts';

const Named = z.object({ webhook: z.string() });

const HEALTH: OptionLine = ['--health <names>', `only with one of these: ${HealthName.options.join(', ')}`];

/** The address is an argument. */
const { active: ACTIVE, ...OPTIONS } = {
  name: settingOption('--name <name>', WEBHOOK_TEXTS.name),
  description: settingOption('--description <text>', WEBHOOK_TEXTS.description),
  headers: settingOption('--header <name=value...>', WEBHOOK_TEXTS.headers),
  rate_limit: settingOption('--rate-limit <count|none>', WEBHOOK_TEXTS.rate_limit),
  retry_seconds: settingOption('--retry-seconds <list|none|default>', WEBHOOK_TEXTS.retry_seconds),
  ordered: settingOption('--ordered <true|false>', WEBHOOK_TEXTS.ordered),
  format: settingOption(`--format <${WEBHOOK_FORMATS.join('|')}>`, WEBHOOK_TEXTS.format),
  target: settingOption('--target <arn[,role]|none>', WEBHOOK_TEXTS.target),
  tags: settingOption('--tag <tag...>', WEBHOOK_TEXTS.tags),
  active: settingOption('--active <true|false>', WEBHOOK_TEXTS.active),
} satisfies Omit<WireFields<WebhookSettings, OptionLine>, 'url'>;
/** `none` and an empty text remove the limit. */
const RateLimit = z.union(
  [z.enum(['none', '']).transform(() => null), Count],
  'must be a whole number, 1 or more, or none',
);

/** `5,300,1800`; `none` makes one attempt only, `default` and an empty text take the service's schedule. */
const RetrySeconds = z.union(
  [
    z.enum(['default', '']).transform(() => null),
    z.literal('none').transform(() => []),
    z
      .string()
      .regex(/^\d+(,\d+)*$/)
      .transform((list) => list.split(',').map(Number)),
  ],
  'must be seconds with commas between, such as 5,300,1800, or none, or default',
);

/** `none` and an empty text lead to requests to the URL. */
const TargetText = z.union(
  [
    z.enum(['none', '']).transform(() => null),
    z
      .string()
      .refine((text) => typedTarget(text) !== undefined)
      .transform(typedTarget),
  ],
  'must be the ARN of an event bus or a queue of SQS, with a comma and the ARN of a role after it, or none',
);

const Flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

const Settings = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  header: z.array(z.string()).optional(),
  rateLimit: RateLimit.optional(),
  retrySeconds: RetrySeconds.optional(),
  ordered: Flag.optional(),
  format: z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(', ')}`).optional(),
  target: TargetText.optional(),
  tag: z.array(z.string()).optional(),
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
    run: async ({ api: connect, output }, { url, name, description, ...input }) => {
      const api = await connect();
      // The API makes active webhooks only.
      const settings = { ...settingsOf(input), tags: input.tag };
      const body = { url, name, description, ...settings } satisfies Omit<
        WireFields<WebhookSettings, unknown>,
        'active'
      >;
      const made = await api.send('POST', '/webhooks', Webhook, { body });
      output.object(made, [...webhookDetails, { heading: 'SECRET', of: ({ secret }) => secret }]);
      noteSecret(output, made);
    },
  });
  leaf(webhooks, {
    usage: 'list',
    about: 'List your webhooks, newest first.',
    options: [WITH_TAG, HEALTH, LIMIT],
    input: Limited.extend({ tag: TagText, health: z.string().optional() }),
    examples: [
      ['tributary webhooks list --tag production', 'those with a tag'],
      ['tributary webhooks list --health failing,off', 'those that need attention'],
    ],
    run: async ({ api, output }, { tag, health, limit }) => {
      const webhooks = await (await api()).list('/users/me/webhooks', Webhook, { query: { tag, health }, limit });
      output.list(webhooks, webhookColumns);
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

const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`;

const BULK: BulkKind<Webhook> = {
  noun: 'webhook',
  list: '/users/me/webhooks',
  pathOf,
  schema: Webhook,
  named: webhookNamed,
  labelOf: ({ name, url }) => name ?? url,
  columns: webhookColumns,
  show: ({ output }, webhook) => output.object(webhook, webhookDetails),
  noteOn: ({ output }, { id, active, held_count: held = 0 }) => {
    if (active && held > 0 && output.hasColumns)
      output.note(`${held} held: tributary webhooks recover ${id} --since 14d sends them.`);
  },
  words: {
    enable: {
      about: 'Switch webhooks on; `webhooks recover` sends the deliveries that one held.',
      examples: [
        ['tributary webhooks enable shop', 'also one that is off because it failed'],
        ['tributary webhooks enable --tag production', 'all with a tag'],
      ],
    },
    disable: {
      about: 'Switch webhooks off; their deliveries are held.',
      examples: [
        ['tributary webhooks disable shop crm', 'nothing is sent to them'],
        ['tributary webhooks disable --tag production', 'all with a tag'],
      ],
    },
    delete: {
      about: 'Delete webhooks with their deliveries and subscriptions.',
      examples: [
        ['tributary webhooks delete shop', 'asks before'],
        ['tributary webhooks delete --tag trial --yes', 'all with a tag, without a question'],
      ],
    },
  },
};

function addStateCommands(tree: CommandTree, webhooks: Command): void {
  const { leaf } = tree;
  leaf(webhooks, {
    usage: 'update <webhook> [url]',
    about: 'Change the address or the settings of a webhook.',
    options: [...Object.values(OPTIONS), ['--no-headers', 'remove all headers'], UNTAG, ACTIVE],
    input: Settings.extend({
      webhook: z.string(),
      url: z.string().optional(),
      headers: z.boolean().optional(),
      untag: z.boolean().optional(),
      active: Flag.optional(),
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
        ...settingsOf(input),
        ...(input.headers === false ? { headers: {} } : {}),
        tags: tagsOf(input.tag, input.untag),
        active: input.active,
      } satisfies WireFields<WebhookSettings, unknown>;
      if (Object.values(body).every((value) => value === undefined))
        throw usageFailure('Name what to change: an address or an option.');
      const api = await connect();
      const path = pathOf(await webhookNamed(api, webhook));
      output.object(await api.send('PUT', path, Webhook, { body }), webhookDetails);
    },
  });
  addBulkCommands(tree, webhooks, BULK);
}

/** The settings that creation and change send alike. */
const settingsOf = (input: Omit<z.infer<typeof Settings>, 'name' | 'description'>) => ({
  headers: headersOf(input.header),
  rate_limit: input.rateLimit,
  retry_seconds: input.retrySeconds,
  ordered: input.ordered,
  format: input.format,
  target: input.target,
});

/** An empty text clears a member. */
const orNull = (text: string | undefined) => (text === '' ? null : text);

function headersOf(lines: readonly string[] | undefined): Record<string, string> | undefined {
  const pairs = lines?.map((line) => assignmentOf('--header', line));
  return pairs && Object.fromEntries(pairs.map(({ name, text }) => [name, text]));
}
