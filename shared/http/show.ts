import type { Component } from '../domain/component.ts';
import type { Source } from '../domain/source.ts';
import { isActive } from '../domain/effective-source.ts';
import { endpointProp } from '../domain/traits.ts';
import type { AutoSubscription, Subscription } from '../domain/subscription.ts';
import type { Webhook } from '../domain/webhook.ts';

/* Maps names of the domain to names of the API. */

export const seconds = (ms: number): number => Math.floor(ms / 1000);

export const showComponent = (component: Component, code: string) => ({
  id: component.id,
  code,
  code_hash: component.codeHash,
  name: component.description.name,
  version: component.description.version ?? '',
  configurable_props: component.description.props,
  created_at: seconds(component.createdAt),
  updated_at: seconds(component.updatedAt),
  key: component.description.key ?? null,
  description: component.description.description ?? null,
  component_url: component.componentUrl,
});

export const showSource = (source: Source, ingressUrl: string) => ({
  id: source.id,
  user_id: source.ownerId,
  component_id: source.configuration.componentId,
  configured_props: showProps(source, ingressUrl),
  active: isActive(source),
  created_at: seconds(source.createdAt),
  updated_at: seconds(source.updatedAt),
  name: source.configuration.name,
  name_slug: source.configuration.nameSlug,
});

/** The endpoint's URL; only its id is stored. Undefined for a component without an endpoint. */
export const endpointUrl = ({ traits, endpointId }: Source, ingressUrl: string): string | undefined =>
  endpointProp(traits) === undefined || endpointId === undefined ? undefined : `${ingressUrl}/${endpointId}`;

function showProps(source: Source, ingressUrl: string): Record<string, unknown> {
  const { configuredProps } = source.configuration;
  const name = endpointProp(source.traits);
  const endpoint_url = endpointUrl(source, ingressUrl);
  if (name === undefined || endpoint_url === undefined) return configuredProps;
  return { ...configuredProps, [name]: { ...Object(configuredProps[name]), endpoint_url } };
}

export const showSubscription = ({ id, emitter, listenerId, eventName }: Subscription) => ({
  id,
  emitter_id: emitter,
  listener_id: listenerId,
  event_name: eventName,
});

export const showAutoSubscription = ({ id, eventName, listenerId }: AutoSubscription) => ({
  id,
  event_name: eventName,
  listener_id: listenerId,
});

export const showWebhook = (webhook: Webhook) => ({
  id: webhook.id,
  user_id: webhook.ownerId,
  name: webhook.name,
  description: webhook.description,
  url: webhook.url,
  active: webhook.active,
  created_at: seconds(webhook.createdAt),
  updated_at: seconds(webhook.updatedAt),
});

/** Items of the source and webhook lists have no `user_id`. */
export const inList = (shown: object): object =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => name !== 'user_id'));
