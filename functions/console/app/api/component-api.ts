import { PAGE_ITEMS } from './list-pages.ts';
import { foundOrNone } from './refused-request.ts';
import { request, segment } from './request.ts';
import type { Component, ComponentItem, Options, Page, ReloadedProps, Single } from './wire.ts';

export interface ComponentCode {
  component_code?: string;
  component_path?: string;
  component_files?: Record<string, string>;
  component_url?: string;
}

/** Builds a component and saves it; the same code gives the same component. */
export const createComponent = (body: ComponentCode): Promise<Single<Component>> =>
  request('POST', '/components', { body });

/** The newest component of each key, newest first. */
export const listComponents = ({ q }: { q: string }, after?: string): Promise<Page<ComponentItem>> =>
  request('GET', '/users/me/components', { query: { limit: PAGE_ITEMS, q: q || undefined, after } });

/** The components of the registry, newest first. */
export const listPublished = ({ q }: { q: string }, after?: string): Promise<Page<ComponentItem>> =>
  request('GET', '/users/me/components', {
    query: { limit: PAGE_ITEMS, published: 'true', q: q || undefined, after },
  });

/** A component with the other files that were sent with its code. */
export const getComponent = (id: string): Promise<Single<Component>> =>
  request('GET', `/components/${segment(id)}`, { query: { expand: 'files' } });

/** The user's own component of a key, or else the published one. */
export const findComponent = async (key: string): Promise<Single<Component>> =>
  (await foundOrNone(getComponent(key))) ?? (await request('GET', `/components/registry/${segment(key)}`));

export interface OptionsQuery {
  id: string;
  prop_name: string;
  configured_props: Record<string, unknown>;
  query?: string;
  page?: number;
  prev_context?: unknown;
}

export const getOptions = (body: OptionsQuery): Promise<Single<Options>> =>
  request('POST', '/components/configure', { body, isRead: true });

export const reloadProps = (id: string, configuredProps: Record<string, unknown>): Promise<Single<ReloadedProps>> =>
  request('POST', '/components/configure', {
    body: { id, reload: true, configured_props: configuredProps },
    isRead: true,
  });
