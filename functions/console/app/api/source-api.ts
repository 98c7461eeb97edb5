import type { ComponentCode } from './component-api.ts';
import { MAX_PAGE_ITEMS } from './list-pages.ts';
import { request, segment } from './request.ts';
import type { Page, Run, Single, Source, SourceItem, SourceSettings, Trigger } from './wire.ts';

export interface SourceFilter {
  q?: string;
  tag?: string;
}

/** The list is read as a whole, so that it can be sorted. */
export const listSources = (
  { q, tag }: SourceFilter,
  after?: string,
  limit = MAX_PAGE_ITEMS,
): Promise<Page<SourceItem>> =>
  request('GET', '/users/me/sources', {
    query: { limit, q: q || undefined, tag: tag || undefined, after },
  });

export const getSource = (id: string): Promise<Single<Source>> => request('GET', `/sources/${segment(id)}`);

/** A new source is active. Forms leave out the address of its own, which only few services have. */
type NewSource = Omit<SourceSettings, 'active' | 'endpoint'> & { component_id: string };

export const postSource = (body: NewSource): Promise<Single<Source>> => request('POST', '/sources', { body });

type SourceUpdate = Partial<SourceSettings> & ComponentCode;

export const putSource = (id: string, body: SourceUpdate): Promise<Single<Source>> =>
  request('PUT', `/sources/${segment(id)}`, { body });

export const deleteSourceById = (id: string): Promise<undefined> => request('DELETE', `/sources/${segment(id)}`);

/** Accepts the deletion of the triggers that wait for a source. */
export const deleteTriggers = (id: string): Promise<unknown> => request('DELETE', `/sources/${segment(id)}/triggers`);

/** Runs a source with an event, the JSON text of an object, or with the one that its interface would give it. */
export const runSource = (id: string, event?: string): Promise<Single<Trigger>> =>
  request('POST', `/sources/${segment(id)}/run`, event === undefined ? {} : { text: event });

export const getRun = (sourceId: string, triggerId: string, signal?: AbortSignal): Promise<Single<Run>> =>
  request('GET', `/sources/${segment(sourceId)}/runs/${segment(triggerId)}`, { signal });
