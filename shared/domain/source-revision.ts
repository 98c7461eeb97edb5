import type { Component, ComponentDescription } from './component.ts';
import { configureProps, type ConfiguredProps } from './configured-props.ts';
import type { ErrorDetail } from './errors.ts';
import type { SourceId } from './id.ts';
import { isActive } from './effective-source.ts';
import { type PropDefinition, withAdditional } from './prop-definition.ts';
import { slugOf } from './slug.ts';
import type { HookName, PendingRevision, Source, SourceConfiguration, SourceTraits } from './source.ts';
import { endpointProp, traitsOf } from './traits.ts';

/** Id of the trigger that executes a revision; the same when it is sent again. */
const lifecycleTriggerId = (id: SourceId, revision: number): string => `lifecycle-${id}-${revision}`;
export const purgeTriggerId = (id: string): string => `purge-${id}`;

export type Planned<T> = { ok: true; plan: T } | { ok: false; details: ErrorDetail[] };

export interface NewSource {
  id: SourceId;
  component: Component;
  ownerId: Source['ownerId'];
  name: string | undefined;
  configuredProps: ConfiguredProps;
  /** Props of `additionalProps`, if the component has dynamic props. */
  additionalProps?: readonly PropDefinition[] | undefined;
  /** Used only when the component has an HTTP or app interface. */
  endpointId: string;
  now: number;
}

/** A new source to store, with its first revision pending: hooks `deploy` and `activate`. */
export function planSource(input: NewSource): Planned<Source> {
  const { id, component, ownerId, now, endpointId } = input;
  const description = descriptionWith(component, input.additionalProps);
  const read = configureProps(description, input.configuredProps);
  if (!read.ok) return read;
  const traits = traitsOf(description, read.props);
  const name = input.name ?? slugOf(component.description.name);
  const configuration: SourceConfiguration = {
    componentId: component.id,
    bundleHash: component.bundleHash,
    configuredProps: read.props,
    ...additional(input.additionalProps),
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
  /** The current component, or its replacement. */
  component: Component;
  name: string | undefined;
  /** Undefined keeps the stored values of props that the component still has. */
  configuredProps: ConfiguredProps | undefined;
  /** Props of `additionalProps` for the new values, if the component has dynamic props. */
  additionalProps?: readonly PropDefinition[] | undefined;
  active: boolean;
  /** Used only when the component needs an endpoint and the source has none. */
  endpointId: string;
  now: number;
}

export interface PlannedUpdate {
  /** Effective immediately. */
  configuration: SourceConfiguration;
  /** Only when code, props or activity change. */
  pending?: PendingRevision;
  endpointId?: string;
  updatedAt: number;
}

/** Divides an update into the immediate change and the pending revision. */
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

const declared = (names: readonly HookName[], { hooks }: SourceTraits): HookName[] =>
  names.filter((hook) => hooks.includes(hook));

/** The description with the additional props of one source, so that values of other props are refused. */
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

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
