import { request, segment } from './request.ts';
import type { AccessKey, AuditEntry, KeySettings, Listed, NewAccessKey, Page, Single } from './wire.ts';

const at = (id: string): string => `/keys/${segment(id)}`;

export const listKeys = (): Promise<Listed<AccessKey>> => request('GET', '/keys');

const CHANGES = 20;
export const listAudit = (after?: string): Promise<Page<AuditEntry>> =>
  request('GET', '/users/me/audit', { query: { limit: CHANGES, after } });

/** The key of this tab. */
export const getCurrentKey = (): Promise<Single<AccessKey>> => request('GET', '/keys/current');

export const postKey = (body: KeySettings): Promise<Single<NewAccessKey>> => request('POST', '/keys', { body });

export const postRotation = (id: string, overlapSeconds: number): Promise<Single<NewAccessKey>> =>
  request('POST', `${at(id)}/rotate`, { body: { overlap_seconds: overlapSeconds } });

export const removeKey = (id: string): Promise<void> => request('DELETE', at(id));
