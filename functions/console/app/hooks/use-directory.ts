import { useQuery } from '@tanstack/preact-query';
import { everyPage } from '../api/list-pages.ts';
import { getNotices } from '../api/user-api.ts';
import type { SourceItem, WebhookItem, Workflow } from '../api/wire.ts';

export interface Entry {
  id: string;
  name: string;
  /** The address of its page. */
  href: string;
}

/** The names of everything that emits or listens. */
export interface Directory {
  sources: readonly Entry[];
  workflows: readonly Entry[];
  webhooks: readonly Entry[];
  /** The emitter of the user's notices. */
  notices: Entry;
  /** An entry for every id, also for those of things that were deleted meanwhile, and for globs. */
  entryOf: (id: string) => Entry;
}

const GLOBS: Readonly<Record<string, Entry>> = {
  'dc_*': { id: 'dc_*', name: 'All sources', href: '/console/sources' },
  'p_*': { id: 'p_*', name: 'All workflows', href: '/console/workflows' },
};

const SECTIONS: Readonly<Record<string, string>> = { dc: 'sources', p: 'workflows', wh: 'webhooks' };

/**
 * The address of the page of a source, a workflow or a webhook. The emitter of notices has none: the overview shows the
 * same.
 */
export const hrefOf = (id: string): string =>
  id.startsWith('dc_notices') ? '/console' : `/console/${SECTIONS[id.slice(0, id.indexOf('_'))] ?? 'sources'}/${id}`;
const entry = (id: string, name: string): Entry => ({ id, name, href: hrefOf(id) });

const STALE_MS = 10_000;

async function readDirectory(): Promise<Directory> {
  const [sources, workflows, webhooks, { data: emitter }] = await Promise.all([
    everyPage<SourceItem>('/users/me/sources'),
    everyPage<Workflow>('/users/me/workflows'),
    everyPage<WebhookItem>('/users/me/webhooks'),
    getNotices(),
  ]);
  const groups = {
    sources: sources.map(({ id, name }) => entry(id, name)),
    workflows: workflows.map(({ id, name }) => entry(id, name)),
    webhooks: webhooks.map(({ id, name, url }) => entry(id, name ?? url)),
  };
  const byId = new Map(Object.values(groups).flatMap((group) => group.map((each) => [each.id, each] as const)));
  const notices = entry(emitter.id, 'Notices');
  byId.set(notices.id, notices);
  return { ...groups, notices, entryOf: (id) => byId.get(id) ?? GLOBS[id] ?? entry(id, id) };
}

export const useDirectory = () => useQuery({ queryKey: ['directory'], queryFn: readDirectory, staleTime: STALE_MS });
