import type { Trigger } from '../../domain/message.ts';
import type { SourceStore } from '../../store/sources.ts';
import { asksForProps, type Component } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { SourceId } from '../../domain/id.ts';
import { isActive } from '../../domain/effective-source.ts';
import type { Source } from '../../domain/source.ts';
import type { PropDefinition } from '../../domain/prop-definition.ts';
import { planUpdate } from '../../domain/source-revision.ts';
import { hasSelector, selectComponent, type SelectComponentContext } from '../components/select-component.ts';
import {
  hookFailed,
  newEndpointId,
  type NewSourceInput,
  sendRevision,
  type SourceRequest,
} from './create-source.ts';
import { invalidProps, readConfiguration, type ReadConfigurationContext } from './read-configuration.ts';
import { ownedSource, sourceNotFound } from './owned-source.ts';
import { hasEnded, watchSource, type WatchContext } from './watch-source.ts';

/** The body of an update, as it was parsed; what it does not name stays. */
export interface SourceUpdateInput extends NewSourceInput {
  active?: boolean | undefined;
}

export interface UpdateSourceContext extends SelectComponentContext, ReadConfigurationContext, WatchContext {
  sources: WatchContext['sources'] & Pick<SourceStore, 'change'>;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
}

/** An update waits so long behind another. */
const BUSY_MS = 20_000;
/** What must be left of the answer's time to carry an update out. */
const OWN_MS = 2_000;
/** A revision this old has probably lost its message: it is sent again, under the same id. */
const STALE_MS = 60_000;

/** One update of a source after the other; what changes neither code nor props nor activity is written at once. */
export async function updateSource(
  context: UpdateSourceContext,
  { id, input, userId, deadline }: SourceRequest<SourceUpdateInput> & { id: SourceId },
): Promise<Source> {
  const { sources, now } = context;
  await ownedSource(context, id, userId);
  const selected = hasSelector(input) ? await selectComponent(context, userId, input) : undefined;
  const busyUntil = Math.min(now() + BUSY_MS, deadline - OWN_MS);
  for (;;) {
    const source = await idleSource(context, id, busyUntil);
    const component = selected ?? (await componentNow(context, source));
    const additionalProps = await additionalPropsOf(context, { source, component, input, deadline });
    const planned = planUpdate(source, {
      component,
      name: input.name,
      configuredProps: input.configured_props,
      additionalProps,
      active: input.active ?? (selected !== undefined || isActive(source)),
      endpointId: newEndpointId(context),
      now: now(),
    });
    if (!planned.ok) throw invalidProps(planned.details);
    const { plan } = planned;
    const configuration = await sources.change(source, plan);
    if (!configuration) continue;
    if (!plan.pending) return { ...source, configuration, updatedAt: plan.updatedAt };
    await sendRevision(context, source, plan.pending);
    return outcomeOf(context, id, plan.pending.revision, deadline);
  }
}

/** Those that it has, unless code or values change: nothing else asks the component again. */
async function additionalPropsOf(
  context: UpdateSourceContext,
  {
    source: { ownerId: userId, configuration },
    component,
    input,
    deadline,
  }: { source: Source; component: Component; input: SourceUpdateInput; deadline: number },
): Promise<readonly PropDefinition[] | undefined> {
  const given = input.configured_props ?? {};
  const { bundleHash, additionalProps = [], configuredProps: kept } = configuration;
  if (input.configured_props == null && component.bundleHash === bundleHash)
    return asksForProps(component.description) ? additionalProps : undefined;
  return readConfiguration(context, { component, userId, given, kept, deadline });
}

async function outcomeOf(
  context: UpdateSourceContext,
  id: SourceId,
  revision: number,
  deadline: number,
): Promise<Source> {
  const seen = await watchSource(context, id, { isDone: hasEnded(revision), until: deadline });
  if (!seen) throw sourceNotFound(id);
  const { outcome, pending } = seen;
  if (outcome?.revision === revision && !outcome.ok) throw hookFailed(outcome);
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
async function idleSource(context: UpdateSourceContext, id: SourceId, until: number): Promise<Source> {
  let isSentAgain = false;
  for (;;) {
    const source = await watchSource(context, id, {
      isDone: ({ pending }) => pending === undefined || (!isSentAgain && isStale(pending, context.now())),
      until,
    });
    if (!source) throw sourceNotFound(id);
    if (!source.pending) return source;
    if (isSentAgain || !isStale(source.pending, context.now())) throw busy(id);
    isSentAgain = true;
    await sendRevision(context, source, source.pending);
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
  { components }: UpdateSourceContext,
  { configuration: { componentId } }: Source,
): Promise<Component> {
  const component = await components.find(componentId);
  if (!component) throw new Error(`The component ${componentId} is gone`);
  return component;
}
