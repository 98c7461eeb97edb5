import { asksForProps, type Component } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { SourceId } from '../../domain/id.ts';
import type { Source } from '../../domain/source.ts';
import type { PropDefinition } from '../../domain/prop-definition.ts';
import { planUpdate } from '../../domain/source-revision.ts';
import { selectComponent } from '../components/select-component.ts';
import { hasSelector, type SourceUpdate } from '../../http/routes/source-routes.ts';
import { hookFailed, newEndpointId, sendRevision, type SourceRequest } from './create-source.ts';
import { invalidProps, readConfiguration } from './read-configuration.ts';
import { ownedSource, sourceNotFound, type SourceServices } from './owned-source.ts';
import { hasEnded, watchSource } from './watch-source.ts';

/** An update waits so long behind another. */
const BUSY_MS = 20_000;
/** What must be left of the answer's time to carry an update out. */
const OWN_MS = 2_000;
/** A revision this old has probably lost its message: it is sent again, under the same id. */
const STALE_MS = 60_000;

/** One update of a source after the other; what changes neither code nor props nor activity is written at once. */
export async function updateSource(
  services: SourceServices,
  { id, input, userId, deadline }: SourceRequest<SourceUpdate> & { id: SourceId },
): Promise<Source> {
  const { sources, now } = services;
  await ownedSource(services, id, userId);
  const selected = hasSelector(input) ? await selectComponent(services, userId, input) : undefined;
  const busyUntil = Math.min(now() + BUSY_MS, deadline - OWN_MS);
  for (;;) {
    const source = await idleSource(services, id, busyUntil);
    const component = selected ?? (await componentNow(services, source));
    const additionalProps = await additionalPropsOf(services, { source, component, input, deadline });
    const planned = planUpdate(source, {
      component,
      name: input.name,
      configuredProps: input.configured_props,
      additionalProps,
      active: input.active ?? true,
      endpointId: newEndpointId(services),
      now: now(),
    });
    if (!planned.ok) throw invalidProps(planned.details);
    const { plan } = planned;
    const configuration = await sources.change(source, plan);
    if (!configuration) continue;
    if (!plan.pending) return { ...source, configuration, updatedAt: plan.updatedAt };
    await sendRevision(services, source, plan.pending);
    return outcomeOf(services, id, plan.pending.revision, deadline);
  }
}

/** Those that it has, unless code or values change: nothing else asks the component again. */
async function additionalPropsOf(
  services: SourceServices,
  {
    source: { ownerId: userId, configuration },
    component,
    input,
    deadline,
  }: { source: Source; component: Component; input: SourceUpdate; deadline: number },
): Promise<readonly PropDefinition[] | undefined> {
  const given = input.configured_props ?? {};
  const { bundleHash, additionalProps = [], configuredProps: kept } = configuration;
  if (input.configured_props == null && component.bundleHash === bundleHash)
    return asksForProps(component.description) ? additionalProps : undefined;
  return readConfiguration(services, { component, userId, given, kept, deadline });
}

async function outcomeOf(
  services: SourceServices,
  id: SourceId,
  revision: number,
  deadline: number,
): Promise<Source> {
  const seen = await watchSource(services, id, { isDone: hasEnded(revision), until: deadline });
  if (!seen) throw sourceNotFound(id);
  const { outcome, pending } = seen;
  if (outcome?.revision === revision && !outcome.ok) throw hookFailed(outcome.message);
  // Still on its way at the deadline: answered as it will be.
  return pending?.revision === revision ? asPending(seen, pending) : seen;
}

const asPending = (source: Source, { configuration, traits }: NonNullable<Source['pending']>): Source => ({
  ...source,
  configuration,
  traits,
  state: configuration.active ? 'activating' : 'inactive',
});

/** The source, once no other update is on its way. */
async function idleSource(services: SourceServices, id: SourceId, until: number): Promise<Source> {
  let isSentAgain = false;
  for (;;) {
    const source = await watchSource(services, id, {
      isDone: ({ pending }) => pending === undefined || (!isSentAgain && isStale(pending, services.now())),
      until,
    });
    if (!source) throw sourceNotFound(id);
    if (!source.pending) return source;
    if (isSentAgain || !isStale(source.pending, services.now())) throw busy(id);
    isSentAgain = true;
    await sendRevision(services, source, source.pending);
  }
}

const isStale = ({ since }: NonNullable<Source['pending']>, now: number) => now - since > STALE_MS;

const busy = (id: SourceId) =>
  new ServiceError(
    'conflict',
    'source_busy',
    `Another update of ${id} is still on its way; try again shortly.`,
  );

async function componentNow(
  { components }: SourceServices,
  { configuration: { componentId } }: Source,
): Promise<Component> {
  const component = await components.find(componentId);
  if (!component) throw new Error(`The component ${componentId} is gone`);
  return component;
}
