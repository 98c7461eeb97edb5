import { type QueryClient, useQuery } from '@tanstack/preact-query';
import { NOTICES_NAME } from '../../../../shared/domain/notice/notice-names.ts';
import { everyPage } from '../api/list-pages.ts';
import { getNotices } from '../api/user-api.ts';
import { webhookName } from '../api/webhook-name.ts';
import { allSources, allWebhooks } from '../api/whole-lists.ts';
import type { SourceItem, WebhookItem, Workflow } from '../api/wire.ts';

export interface Entry {
  id: string;
  name: string;
  /** The address of its page. */
  href: string;
  /** As the list has it; absent for a workflow, and for what was deleted meanwhile. */
  item?: { source: SourceItem } | { webhook: WebhookItem };
}

/** The names of everything that emits or listens. */
export interface Directory {
  sources: readonly Entry[];
  workflows: readonly Entry[];
  webhooks: readonly Entry[];
  /** The emitter of the user's notices. */
  notices: Entry;
  /** The tags of sources and webhooks, sorted. */
  tags: readonly string[];
  /** An entry for every id, also for those of things that were deleted meanwhile, and for globs. */
  entryOf: (id: string) => Entry;
}

const GLOBS: Readonly<Record<string, Entry>> = {
  'dc_*': { id: 'dc_*', name: 'All sources', href: '/console/sources' },
  'p_*': { id: 'p_*', name: 'All workflows', href: '/console/workflows' },
};

const SECTIONS: Readonly<Record<string, string>> = { dc: 'sources', p: 'workflows', wh: 'webhooks' };

/** The address of the page of a source, a workflow or a webhook, or of the notices. */
export const hrefOf = (id: string): string =>
  id.startsWith('dc_notices')
    ? '/console/notices'
    : `/console/${SECTIONS[id.slice(0, id.indexOf('_'))] ?? 'sources'}/${id}`;
const entry = (id: string, name: string): Entry => ({ id, name, href: hrefOf(id) });

const STALE_MS = 10_000;

async function readDirectory(queries: QueryClient): Promise<Directory> {
  const [sources, workflows, webhooks, { data: emitter }] = await Promise.all([
    allSources(queries),
    everyPage<Workflow>('/users/me/workflows'),
    allWebhooks(queries),
    getNotices(),
  ]);
  const groups = {
    sources: sources.map((source) => ({ ...entry(source.id, source.name), item: { source } })),
    workflows: workflows.map(({ id, name }) => entry(id, name)),
    webhooks: webhooks.map((webhook) => ({ ...entry(webhook.id, webhookName(webhook)), item: { webhook } })),
  };
  const byId = new Map(Object.values(groups).flatMap((group) => group.map((each) => [each.id, each] as const)));
  const notices = entry(emitter.id, NOTICES_NAME);
  byId.set(notices.id, notices);
  const tags = [...new Set([...sources, ...webhooks].flatMap((each) => each.tags))].sort();
  return { ...groups, notices, tags, entryOf: (id) => byId.get(id) ?? GLOBS[id] ?? entry(id, id) };
}

export const useDirectory = ({ isOn = true } = {}) =>
  useQuery({
    queryKey: ['directory'],
    queryFn: ({ client }) => readDirectory(client),
    staleTime: STALE_MS,
    enabled: isOn,
  });
