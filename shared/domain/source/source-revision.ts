import type { Component, ComponentDescription } from '../component/component.ts';
import { type PropDefinition, withAdditional } from '../component/prop-definition.ts';
import type { SourceId } from '../id.ts';
import {
  isActive,
  type PendingRevision,
  type Source,
  type SourceConfiguration,
  type SourceSettings,
} from './source.ts';
import { type Requested, withRequested } from '../requested.ts';
import { slugOf } from './slug.ts';
import { endpointProp, traitsOf } from '../component/traits.ts';
import type { HookName, SourceTraits } from '../component/source-traits.ts';

/** Id of the trigger that executes a revision; the same when it is sent again. */
const lifecycleTriggerId = (id: SourceId, revision: number): string => `lifecycle-${id}-${revision}`;
export const purgeTriggerId = (id: string): string => `purge-${id}`;

export interface NewSource {
  id: SourceId;
  component: Component;
  ownerId: Source['ownerId'];
  settings: Requested<SourceSettings>;
  /** The values of the props, read by `configureProps`. */
  props: Readonly<Record<string, unknown>>;
  /** Props of `additionalProps`, if the component has dynamic props. */
  additionalProps?: readonly PropDefinition[] | undefined;
  /** Used only when the component has an HTTP or app interface. */
  endpointId: string;
  now: number;
}

/** A new source to store, with its first revision pending: hooks `deploy` and `activate`. */
export function planSource(input: NewSource): Source {
  const { id, component, ownerId, props, now, endpointId } = input;
  const description = descriptionWith(component, input.additionalProps);
  const settings = withRequested<SourceSettings>(
    { name: slugOf(component.description.name), configuredProps: {}, active: true, endpoint: 'path', tags: [] },
    input.settings,
  );
  const traits = traitsOf(description, props, component.authReads);
  const configuration: SourceConfiguration = {
    ...settings,
    componentId: component.id,
    bundleHash: component.bundleHash,
    configuredProps: props,
    ...additional(input.additionalProps),
    nameSlug: slugOf(settings.name),
  };
  const hooks = declared(['deploy', 'activate'], traits);
  return {
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
}

export interface Update {
  /** The current component, or its replacement. */
  component: Component;
  settings: Requested<SourceSettings> & Pick<SourceSettings, 'active'>;
  /** All values of the props, read by `configureProps`. */
  props: Readonly<Record<string, unknown>>;
  /** Props of `additionalProps` for the new values, if the component has dynamic props. */
  additionalProps?: readonly PropDefinition[] | undefined;
  /** Used only when the component needs an endpoint and the source has none. */
  endpointId: string;
  now: number;
}

export interface PlannedUpdate {
  /** Effective immediately. */
  configuration: SourceConfiguration;
  /** Only when code, props, activity or the form of the endpoint change. Other settings change at once. */
  pending?: PendingRevision;
  endpointId?: string;
  updatedAt: number;
}

/** Divides an update into the immediate change and the pending revision. */
export function planUpdate(source: Source, update: Update): PlannedUpdate {
  const { component, settings, props, now } = update;
  const { active } = settings;
  const { configuration: current } = source;
  const { additionalProps: currentAdditional, ...kept } = current;
  const description = descriptionWith(component, update.additionalProps);
  const wanted = withRequested<SourceSettings>(kept, settings);
  const nameSlug = wanted.name === current.name ? current.nameSlug : slugOf(wanted.name);
  const configuration: SourceConfiguration = {
    ...wanted,
    componentId: component.id,
    bundleHash: component.bundleHash,
    configuredProps: props,
    ...additional(update.additionalProps),
    nameSlug,
  };
  const updatedAt = Math.max(now, source.updatedAt + 1);
  const isSame =
    active === isActive(source) &&
    configuration.endpoint === current.endpoint &&
    configuration.bundleHash === current.bundleHash &&
    isSameJson(configuration.configuredProps, current.configuredProps) &&
    isSameJson(configuration.additionalProps, currentAdditional);
  if (isSame) return { configuration, updatedAt };

  const traits = traitsOf(description, props, component.authReads);
  const revision = (source.outcome?.revision ?? 0) + 1;
  const hooks = [
    ...(isActive(source) ? declared(['deactivate'], source.traits) : []),
    ...(active ? declared(['activate'], traits) : []),
  ];
  const triggerId = lifecycleTriggerId(source.id, revision);
  const needsEndpoint = endpointProp(traits) !== undefined && source.endpointId === undefined;
  return {
    configuration: {
      ...current,
      ...wanted,
      configuredProps: current.configuredProps,
      active: current.active,
      endpoint: current.endpoint,
      nameSlug,
    },
    pending: { revision, since: now, triggerId, configuration, traits, hooks },
    ...(needsEndpoint ? { endpointId: update.endpointId } : {}),
    updatedAt,
  };
}

const declared = (names: readonly HookName[], { hooks }: SourceTraits): HookName[] =>
  names.filter((hook) => hooks.includes(hook));

/** The description with the additional props of one source, so that values of other props are refused. */
export const descriptionWith = (
  { description }: Component,
  made: readonly PropDefinition[] | undefined,
): ComponentDescription =>
  made === undefined
    ? description
    : { ...description, props: withAdditional(description.props, made), hasAdditionalProps: false };

const additional = (made: readonly PropDefinition[] | undefined): Pick<SourceConfiguration, 'additionalProps'> =>
  made === undefined || made.length === 0 ? {} : { additionalProps: [...made] };

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
