import { streamOf } from '../../../shared/domain/event/stream.ts';
import type { Prop, Source, Webhook } from '../session/response-schemas.ts';
import {
  type Document,
  type Reference,
  SECRET,
  sortedJson,
  type SourceEntry,
  type WebhookEntry,
  webhookHandle,
} from './document.ts';
import type { AccountState, SavedComponent } from './read-account.ts';

/** The document of a user's account: sorted, without ids, times and secrets. */
export function documentOf(state: AccountState): Document {
  const { components, sources, webhooks, subscriptions, autoSubscriptions } = state;
  const entries = new Map([...components.values()].map((each) => [each.code_hash, componentEntry(each)]));
  return {
    version: 1,
    components: sorted([...entries.values()], ({ code_hash: hash }) => hash),
    sources: sorted(
      sources.map((source) => sourceEntry(source, state)),
      ({ slug }) => slug,
    ),
    subscriptions: sorted(
      subscriptions.flatMap(({ emitter_id, listener_id, event_name, filter }) => {
        const [emitter, listener] = [referenceOf(emitter_id, state), referenceOf(listener_id, state)];
        return emitter && listener
          ? [{ emitter, listener, stream: streamOf(event_name), ...filterMember(filter) }]
          : [];
      }),
      sortedJson,
    ),
    auto_subscriptions: sorted(
      autoSubscriptions.flatMap(({ event_name, listener_id, filter }) => {
        const listener = referenceOf(listener_id, state);
        return listener ? [{ stream: streamOf(event_name), listener, ...filterMember(filter) }] : [];
      }),
      sortedJson,
    ),
    webhooks: sorted(webhooks.map(webhookEntry), sortedJson),
  };
}

const sorted = <T>(items: readonly T[], keyOf: (item: T) => string): T[] =>
  items
    .map((item): [string, T] => [keyOf(item), item])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item);

const filterMember = (filter: unknown) => (filter === undefined || filter === null ? {} : { filter });

const componentEntry = ({ code_hash, key, name, path, code, files }: SavedComponent) => ({
  code_hash,
  key,
  name,
  ...(path === undefined ? {} : { path }),
  code,
  ...(files === undefined || Object.keys(files).length === 0 ? {} : { files }),
});

/** Undefined for a workflow that no list names. */
function referenceOf(id: string, { sources, webhooks, workflows, noticesId }: AccountState): Reference | undefined {
  if (id === 'dc_*' || id === 'p_*') return { every: id };
  if (id === noticesId) return { notices: true };
  const source = sources.find((each) => each.id === id);
  if (source) return { source: source.name_slug };
  const webhook = webhooks.find((each) => each.id === id);
  if (webhook) return { webhook: webhookHandle(webhook, webhooks) };
  const workflow = workflows.find((each) => each.id === id);
  // A workflow of another service is known by its id only.
  return workflow ? { workflow: workflow.name } : id.startsWith('p_') ? { workflow: id } : undefined;
}

export function sourceEntry(source: Source, { components, accounts }: AccountState): SourceEntry {
  const component = components.get(source.component_id);
  const definitions = component?.configurable_props ?? [];
  const props = Object.entries(source.configured_props).flatMap(([name, value]): [string, unknown][] => {
    const definition = definitions.find((prop) => prop.name === name);
    const carried = carriedValue(definition, value, accounts);
    return carried === undefined ? [] : [[name, carried]];
  });
  return {
    slug: source.name_slug,
    name: source.name,
    component: component?.code_hash ?? '',
    active: source.active,
    ...(source.endpoint === 'origin' ? { endpoint: source.endpoint } : {}),
    tags: source.tags,
    props: Object.fromEntries(props.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The value of a prop elsewhere; undefined if the service makes it. */
function carriedValue(prop: Prop | undefined, value: unknown, accounts: AccountState['accounts']): unknown {
  // The definition of a prop that code added is not known: its value may be secret.
  if (prop === undefined || prop.secret === true) return SECRET;
  if (prop?.type.startsWith('$.interface.') === true && prop.type !== '$.interface.timer') return undefined;
  if (prop?.type === '$.service.db') return undefined;
  if (prop?.type !== 'app') return value;
  const id = typeof value === 'object' && value !== null && 'authProvisionId' in value ? value.authProvisionId : '';
  const account = accounts.find((each) => each.id === id);
  return { account: { app: account?.app ?? prop.app ?? '', name: account?.name ?? null } };
}

export const webhookEntry = ({ name, url, description, active, headers, ...rest }: Webhook): WebhookEntry => ({
  name,
  url,
  description: description ?? null,
  active,
  headers: Object.fromEntries(
    Object.keys(headers ?? {})
      .sort()
      .map((header) => [header, SECRET]),
  ),
  rate_limit: rest.rate_limit ?? null,
  // A service of an earlier release lacks these, and an import leaves what its document lacks as it is.
  retry_seconds: rest.retry_seconds,
  ordered: rest.ordered,
  format: rest.format ?? undefined,
  target: rest.target && { ...rest.target, role_arn: rest.target.role_arn ?? null },
  tags: rest.tags,
});
