import { MAX_PAGE_ITEMS } from './list-pages.ts';
import { request, segment } from './request.ts';
import type { NewWebhook, Page, Recovery, Single, TestResult, Webhook, WebhookItem, WebhookSettings } from './wire.ts';

const at = (id: string): string => `/webhooks/${segment(id)}`;

/** The list is read as a whole, so that it can be sorted. */
export const listWebhooks = ({ q, tag }: { q: string; tag: string }, after?: string): Promise<Page<WebhookItem>> =>
  request('GET', '/users/me/webhooks', {
    query: { limit: MAX_PAGE_ITEMS, q: q || undefined, tag: tag || undefined, after },
  });

export const getWebhook = (id: string): Promise<Single<Webhook>> => request('GET', at(id));

/** A new webhook is active. */
export type NewWebhookSettings = Omit<WebhookSettings, 'active'>;

export const createWebhook = (webhook: NewWebhookSettings): Promise<Single<NewWebhook>> =>
  request('POST', '/webhooks', { body: webhook });

export const putWebhook = (id: string, body: Partial<WebhookSettings>): Promise<Single<Webhook>> =>
  request('PUT', at(id), { body });

export const deleteWebhook = (id: string): Promise<void> => request('DELETE', at(id));

export const postSecret = (id: string, revoke: boolean): Promise<Single<NewWebhook>> =>
  request('POST', `${at(id)}/secret`, { body: { revoke } });

/** Makes the address of a page where a customer sees this webhook. */
export const postPortalLink = (id: string): Promise<Single<{ url: string }>> =>
  request('POST', '/webhooks/portal_links', { body: { webhook_id: id } });

/** Sends one signed request with an event, the JSON text of an object. */
export const postTest = (id: string, event = '{"test":true}'): Promise<Single<TestResult>> =>
  request('POST', `${at(id)}/test`, { text: event });

export const postRecovery = (id: string, sinceMs: number): Promise<Single<Recovery>> =>
  request('POST', `${at(id)}/recover`, { body: { since: sinceMs } });

export const getRecovery = (id: string): Promise<Single<Recovery>> => request('GET', `${at(id)}/recover`);
