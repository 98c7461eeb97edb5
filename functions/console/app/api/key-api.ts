import { request, segment } from './request.ts';
import type { AccessKey, AuditEntry, KeySettings, Listed, NewAccessKey, Page, Single } from './wire.ts';

const at = (id: string): string => `/keys/${segment(id)}`;

export const listKeys = (): Promise<Listed<AccessKey>> => request('GET', '/keys');

const CHANGES = 20;

interface AuditFilter {
  /** Name or id of a key; empty for all. */
  by: string;
  operation: string;
  /** Epoch ms. */
  sinceMs?: number;
  untilMs?: number;
}

/** At least 20 changes, or the last ones: a request looks through 1,000 of them, so that its page may be short. */
export async function listAudit(filter: AuditFilter, after?: string): Promise<Page<AuditEntry>> {
  const { by, operation, sinceMs: since, untilMs: until } = filter;
  const query = { key: by || undefined, operation: operation || undefined, since, until, limit: CHANGES };
  const data: AuditEntry[] = [];
  let cursor = after;
  for (;;) {
    const page: Page<AuditEntry> = await request('GET', '/users/me/audit', { query: { ...query, after: cursor } });
    data.push(...page.data);
    cursor = page.page_info.end_cursor ?? undefined;
    if (cursor === undefined || data.length >= CHANGES) return { data, page_info: page.page_info };
  }
}

/** The key of this tab. */
export const getCurrentKey = (): Promise<Single<AccessKey>> => request('GET', '/keys/current');

export const postKey = (body: KeySettings): Promise<Single<NewAccessKey>> => request('POST', '/keys', { body });

export const postRotation = (id: string, overlapSeconds: number): Promise<Single<NewAccessKey>> =>
  request('POST', `${at(id)}/rotate`, { body: { overlap_seconds: overlapSeconds } });

export const removeKey = (id: string): Promise<void> => request('DELETE', at(id));
