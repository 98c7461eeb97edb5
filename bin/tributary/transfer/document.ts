import * as z from 'zod';
import { EndpointForm } from '../../../shared/domain/source/endpoint-address.ts';
import type { WebhookSettings } from '../../../shared/domain/webhook/webhook.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';

/** An emitter or listener by its name. */
export const Reference = z.union([
  z.strictObject({ source: z.string() }),
  z.strictObject({ webhook: z.string() }),
  z.strictObject({ workflow: z.string() }),
  z.strictObject({ every: z.enum(['dc_*', 'p_*']) }),
  // The emitter of the user's notices.
  z.strictObject({ notices: z.literal(true) }),
]);
export type Reference = z.infer<typeof Reference>;

/** In the place of a value that is not exported. */
export const SECRET = { secret: true } as const;
const Secret = z.strictObject({ secret: z.literal(true) });
export const isSecret = (value: unknown): boolean => Secret.safeParse(value).success;

/** In the place of the id of a connected account. */
const AccountReference = z.strictObject({
  account: z.strictObject({ app: z.string(), name: z.string().nullable() }),
});
export type AccountReference = z.infer<typeof AccountReference>;
export const accountIn = (value: unknown): AccountReference | undefined => AccountReference.safeParse(value).data;

export const ComponentEntry = z.object({
  code_hash: z.string(),
  key: z.string().nullable(),
  name: z.string(),
  path: z.string().optional(),
  code: z.string(),
  files: z.record(z.string(), z.string()).optional(),
});
export type ComponentEntry = z.infer<typeof ComponentEntry>;

export const SourceEntry = z.object({
  slug: z.string(),
  name: z.string(),
  /** Its code hash. */
  component: z.string(),
  active: z.boolean(),
  endpoint: EndpointForm.optional(),
  tags: z.array(z.string()).optional(),
  props: z.record(z.string(), z.unknown()),
});
export type SourceEntry = z.infer<typeof SourceEntry>;

export const WebhookEntry = z.object({
  name: z.string().nullable(),
  url: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  /** Names only: values may be credentials. */
  headers: z.record(z.string(), z.unknown()).default({}),
  rate_limit: z.number().nullable().default(null),
  retry_seconds: z.array(z.number()).nullable().optional(),
  ordered: z.boolean().optional(),
  format: z.string().optional(),
  target: z.object({ kind: z.string(), arn: z.string(), role_arn: z.string().nullable() }).nullable().optional(),
  tags: z.array(z.string()).optional(),
} satisfies WireFields<WebhookSettings, z.ZodType>);
export type WebhookEntry = z.infer<typeof WebhookEntry>;

const Filter = z.unknown().optional();

export const SubscriptionEntry = z.object({
  emitter: Reference,
  listener: Reference,
  stream: z.string(),
  filter: Filter,
});
export type SubscriptionEntry = z.infer<typeof SubscriptionEntry>;

export const AutoSubscriptionEntry = z.object({ stream: z.string(), listener: Reference, filter: Filter });
export type AutoSubscriptionEntry = z.infer<typeof AutoSubscriptionEntry>;

/** The document that `export` prints and `import` reads. */
export const Document = z.object({
  version: z.literal(1, 'must be 1'),
  components: z.array(ComponentEntry),
  sources: z.array(SourceEntry),
  subscriptions: z.array(SubscriptionEntry),
  auto_subscriptions: z.array(AutoSubscriptionEntry),
  webhooks: z.array(WebhookEntry),
});
export type Document = z.infer<typeof Document>;

/** A webhook's name in references: its name, or its URL if it has none or shares it. */
export const webhookHandle = (
  { name, url }: Pick<WebhookEntry, 'name' | 'url'>,
  all: readonly Pick<WebhookEntry, 'name'>[],
): string => (name !== null && all.filter((each) => each.name === name).length === 1 ? name : url);

/** JSON with sorted members, for comparisons. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
