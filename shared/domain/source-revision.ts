import type { Component, ComponentDescription } from './component.ts';
import { configureProps, type ConfiguredProps } from './configured-props.ts';
import type { ErrorDetail } from './errors.ts';
import type { SourceId } from './id.ts';
import { isActive } from './effective-source.ts';
import { type PropDefinition, withAdditional } from './prop-definition.ts';
import { slugOf } from './slug.ts';
import type { HookName, PendingRevision, Source, SourceConfiguration, SourceTraits } from './source.ts';
import { endpointProp, traitsOf } from './traits.ts';

/** Carries out a revision; the same id again whenever it is sent again. */
const lifecycleTriggerId = (id: SourceId, revision: number): string => `lifecycle-${id}-${revision}`;
export const purgeTriggerId = (id: string): string => `purge-${id}`;

export type Planned<T> = { ok: true; plan: T } | { ok: false; details: ErrorDetail[] };

export interface NewSource {
  id: SourceId;
  component: Component;
  ownerId: Source['ownerId'];
  name: string | undefined;
  configuredProps: ConfiguredProps;
  /** What the component made of them itself; absent when it need not be asked. */
  additionalProps?: readonly PropDefinition[] | undefined;
  /** Used when the component has an interface that needs one. */
  endpointId: string;
  now: number;
}

/** A source as it is first stored: its first revision, with the hooks `deploy` and `activate`, is on its way. */
export function planSource(wanted: NewSource): Planned<Source> {
  const { id, component, ownerId, now, endpointId } = wanted;
  const description = descriptionWith(component, wanted.additionalProps);
  const read = configureProps(description, wanted.configuredProps);
  if (!read.ok) return read;
  const traits = traitsOf(description, read.props);
  const name = wanted.name ?? slugOf(component.description.name);
  const configuration: SourceConfiguration = {
    componentId: component.id,
    bundleHash: component.bundleHash,
    configuredProps: read.props,
    ...additional(wanted.additionalProps),
    name,
    nameSlug: slugOf(name),
    active: true,
  };
  const hooks = declared(['deploy', 'activate'], traits);
  const plan: Source = {
    id,
    ownerId,
    state: 'creating',
    generation: 0,
    configuration,
    traits,
    pending: { revision: 1, since: now, triggerId: lifecycleTriggerId(id, 1), configuration, traits, hooks },
    ...(endpointProp(traits) === undefined ? {} : { endpointId }),
    createdAt: now,
    updatedAt: now,
  };
  return { ok: true, plan };
}

export interface Update {
  /** The component it has, or another one. */
  component: Component;
  name: string | undefined;
  /** Absent: they stay, as far as the component still has them. */
  configuredProps: ConfiguredProps | undefined;
  /** What the component makes of what they will be itself; absent when it need not be asked. */
  additionalProps?: readonly PropDefinition[] | undefined;
  active: boolean;
  /** Used when the source has no endpoint and its component needs one. */
  endpointId: string;
  now: number;
}

export interface PlannedUpdate {
  /** In force at once. */
  configuration: SourceConfiguration;
  /** Only when code, props or activity change. */
  pending?: PendingRevision;
  endpointId?: string;
  updatedAt: number;
}

/** What an update changes at once, and what its revision is to carry out. */
export function planUpdate(source: Source, update: Update): Planned<PlannedUpdate> {
  const { component, active, now } = update;
  const { configuration: current } = source;
  const description = descriptionWith(component, update.additionalProps);
  const read = configureProps(description, update.configuredProps ?? {}, current.configuredProps);
  if (!read.ok) return read;
  const isRenamed = update.name !== undefined && update.name !== current.name;
  const named =
    isRenamed && update.name !== undefined ? { name: update.name, nameSlug: slugOf(update.name) } : {};
  const configuration: SourceConfiguration = {
    name: current.name,
    nameSlug: current.nameSlug,
    ...named,
    componentId: component.id,
    bundleHash: component.bundleHash,
    configuredProps: read.props,
    ...additional(update.additionalProps),
    active,
  };
  const updatedAt = Math.max(now, source.updatedAt + 1);
  const isSame =
    active === isActive(source) &&
    configuration.bundleHash === current.bundleHash &&
    isSameJson(configuration.configuredProps, current.configuredProps) &&
    isSameJson(configuration.additionalProps, current.additionalProps);
  if (isSame) return { ok: true, plan: { configuration, updatedAt } };

  const traits = traitsOf(description, read.props);
  const revision = (source.outcome?.revision ?? 0) + 1;
  const hooks = [
    ...(isActive(source) ? declared(['deactivate'], source.traits) : []),
    ...(active ? declared(['activate'], traits) : []),
  ];
  const triggerId = lifecycleTriggerId(source.id, revision);
  const needsEndpoint = endpointProp(traits) !== undefined && source.endpointId === undefined;
  return {
    ok: true,
    plan: {
      configuration: { ...current, ...named },
      pending: { revision, since: now, triggerId, configuration, traits, hooks },
      ...(needsEndpoint ? { endpointId: update.endpointId } : {}),
      updatedAt,
    },
  };
}

const declared = (wanted: readonly HookName[], { hooks }: SourceTraits): HookName[] =>
  wanted.filter((hook) => hooks.includes(hook));

/** With the definitions of one source: what it does not have then, it does not take. */
const descriptionWith = (
  { description }: Component,
  made: readonly PropDefinition[] | undefined,
): ComponentDescription =>
  made === undefined
    ? description
    : { ...description, props: withAdditional(description.props, made), hasAdditionalProps: false };

const additional = (
  made: readonly PropDefinition[] | undefined,
): Pick<SourceConfiguration, 'additionalProps'> =>
  made === undefined || made.length === 0 ? {} : { additionalProps: [...made] };

const isSameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
