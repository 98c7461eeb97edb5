import { withAuthFields } from '../../domain/component/auth-fields.ts';
import type { Component } from '../../domain/component/component.ts';
import { type Source, type SourceSettings, type SourceState, isActive } from '../../domain/source/source.ts';
import { JsonText } from '../../lib/json-text.ts';
import { DEFAULT_PATH } from '../../domain/component/sent-files.ts';
import { endpointProp } from '../../domain/component/traits.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';
import { nextTicks } from '../../domain/component/timer-ticks.ts';
import { endpointAddress, pathBase } from '../../domain/source/endpoint-address.ts';
import type { AutoSubscription, Subscription, SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import type { Workflow, WorkflowSettings } from '../../domain/subscription/workflow.ts';
import type { MinuteActivity } from '../../store/users/activity-counts.ts';
import type { WaitingTriggers } from '../../service/sources/waiting-reader.ts';
import type { LastEvents } from '../../store/events/newest-events.ts';
import type { WireFields, WithWireFields } from '../settings/wire-fields.ts';
import { sseUrl } from './show-live-token.ts';

/* Maps names of the domain to names of the API. */

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A component without its code, as lists show it. */
export const showComponentItem = (component: Component) => ({
  id: component.id,
  code_hash: component.codeHash,
  name: component.description.name,
  version: component.description.version ?? '',
  configurable_props: withAuthFields(component.description.props, component.authReads),
  created_at: seconds(component.createdAt),
  updated_at: seconds(component.updatedAt),
  key: component.description.key ?? null,
  description: component.description.description ?? null,
  component_url: component.componentUrl,
  path: component.path ?? DEFAULT_PATH,
});

export const showComponent = (component: Component, code: string) => {
  const { id, ...rest } = showComponentItem(component);
  return { id, code, ...rest };
};

/** Base addresses of endpoints and of live streams, and the clock. */
export interface ShowContext {
  ingressUrl: string;
  liveUrl: string;
  now(): number;
}

export const showSource = (
  source: Source,
  { ingressUrl, liveUrl, now }: ShowContext,
  waiting: WaitingTriggers | undefined,
) =>
  ({
    id: source.id,
    user_id: source.ownerId,
    component_id: source.configuration.componentId,
    configured_props: showProps(source, ingressUrl),
    active: isActive(source),
    endpoint: source.configuration.endpoint,
    tags: source.configuration.tags,
    created_at: seconds(source.createdAt),
    updated_at: seconds(source.updatedAt),
    name: source.configuration.name,
    name_slug: source.configuration.nameSlug,
    endpoint_url: endpointUrl(source, ingressUrl) ?? null,
    sse_url: sseUrl(source.id, liveUrl),
    waiting: waiting?.count ?? 0,
    oldest_waiting_ms: waiting?.oldestAt ?? null,
    timer: source.traits.timer && showTimer(source, source.traits.timer, now()),
  }) satisfies WithWireFields<SourceSettings, unknown>;

const showTimer = (source: Source, timer: NonNullable<SourceTraits['timer']>, after: number) => ({
  interval_seconds: 'cron' in timer ? null : timer.intervalSeconds,
  cron: 'cron' in timer ? timer.cron : null,
  timezone: 'cron' in timer ? timer.timezone : undefined,
  next_run_ms: isActive(source) ? (nextTicks(timer, { anchor: source.timerAnchor, after, count: 1 })[0] ?? null) : null,
});

export const searchedTexts = (source: Source, ingressUrl: string) => [
  source.id,
  source.configuration.name,
  source.configuration.nameSlug,
  endpointUrl(source, ingressUrl),
];

/** States in lists; `deleting` sources are in no list. */
export const shownState = (state: SourceState): SourceState | 'disabled' => (state === 'inactive' ? 'disabled' : state);

export const showSourceItem = (
  source: Source,
  context: ShowContext,
  { last, waiting }: { last: LastEvents | undefined; waiting: WaitingTriggers | undefined },
) => ({
  ...inList(showSource(source, context, waiting)),
  state: shownState(source.state),
  last_event_ms: last?.event ?? null,
  last_error_ms: last?.error ?? null,
});

export const showWorkflow = ({ id, name, target, createdAt }: Workflow, ingressUrl: string) =>
  ({
    id,
    name,
    target,
    ingest_url: `${pathBase(ingressUrl)}/workflows/${id}`,
    created_at: seconds(createdAt),
  }) satisfies WithWireFields<WorkflowSettings, unknown>;

/** The endpoint's URL; only its id is stored. Undefined for a component without an endpoint. */
const endpointUrl = ({ traits, endpointId, configuration }: Source, ingressUrl: string) =>
  endpointProp(traits) === undefined || endpointId === undefined
    ? undefined
    : endpointAddress(ingressUrl, endpointId, configuration.endpoint);

function showProps(source: Source, ingressUrl: string): Record<string, unknown> {
  const { configuredProps } = source.configuration;
  const name = endpointProp(source.traits);
  const endpoint_url = endpointUrl(source, ingressUrl);
  if (name === undefined || endpoint_url === undefined) return configuredProps;
  return { ...configuredProps, [name]: { ...Object(configuredProps[name]), endpoint_url } };
}

export const showSubscription = ({ id, emitter, listenerId, eventName, ...settings }: Subscription) => ({
  id,
  emitter_id: emitter,
  listener_id: listenerId,
  event_name: eventName,
  ...showSettings(settings),
});

export const showAutoSubscription = ({ id, eventName, listenerId, ...settings }: AutoSubscription) => ({
  id,
  event_name: eventName,
  listener_id: listenerId,
  ...showSettings(settings),
});

/** JSON omits undefined members. */
const showSettings = ({ filter }: SubscriptionSettings): WireFields<SubscriptionSettings, unknown> => ({
  filter: filter === undefined ? undefined : new JsonText(filter),
});

export const showActivity = ({ minute, ...counts }: MinuteActivity) => ({ minute_ms: minute, ...counts });

/** Items of the source and webhook lists have no `user_id`: JSON omits undefined members. */
export const inList = (shown: object): object => ({ ...shown, user_id: undefined });
