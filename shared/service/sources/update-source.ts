import type { Trigger } from '../../domain/run/message.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { asksForProps, type Component } from '../../domain/component/component.ts';
import { ServiceError, notFound } from '../../domain/errors.ts';
import type { SourceId } from '../../domain/id.ts';
import { isActive, type Source } from '../../domain/source/source.ts';
import { descriptionWith, planUpdate } from '../../domain/source/source-revision.ts';
import { readProps } from '../components/read-props.ts';
import {
  codeWarnings,
  hasSelector,
  selectComponent,
  type SelectComponentContext,
} from '../components/select-component.ts';
import { accountWarnings } from '../accounts/account-warnings.ts';
import {
  type ChangedSource,
  checkEndpointForm,
  type CreateSourceContext,
  hookFailed,
  newEndpointId,
  sendRevision,
  type SourceRequest,
} from './create-source.ts';
import { readConfiguration, type ReadConfigurationContext } from './read-configuration.ts';
import { ownedSource } from './owned-source.ts';
import { hasEnded, watchSource, type WatchContext } from './watch-source.ts';

export interface UpdateSourceContext extends SelectComponentContext, ReadConfigurationContext, WatchContext {
  sources: WatchContext['sources'] & Pick<SourceStore, 'change'>;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  ingressUrl: CreateSourceContext['ingressUrl'];
}

/** Wait for an earlier update of the same source. */
const BUSY_MS = 20_000;
/** Time that must be left for the update itself. */
const OWN_MS = 2_000;
/** The message of a pending revision this old is probably lost: it is sent again with the same id. */
const STALE_MS = 60_000;

/** Updates a source after any earlier update has ended. Only changes of code, props or activity need a revision. */
export async function updateSource(
  context: UpdateSourceContext,
  { id, selectors, settings, userId, deadline }: SourceRequest & { id: SourceId },
): Promise<ChangedSource> {
  const { sources, now } = context;
  await ownedSource(context, id, userId);
  checkEndpointForm(context, settings);
  const selected = hasSelector(selectors) ? await selectComponent(context, userId, selectors) : undefined;
  const busyUntil = Math.min(now() + BUSY_MS, deadline - OWN_MS);
  return changeCurrent({
    find: () => idleSource(context, id, busyUntil),
    write: async (source) => {
      const component = selected ?? (await componentNow(context, source));
      const configuration = await configurationOf(context, { source, component, settings, deadline });
      const plan = planUpdate(source, {
        component,
        settings: {
          ...settings,
          active: settings.active ?? (selected !== undefined || isActive(source)),
        },
        ...configuration,
        endpointId: newEndpointId(context),
        now: now(),
      });
      const isAboutAccounts = selected !== undefined || settings.configuredProps !== undefined;
      const aboutAccounts = isAboutAccounts
        ? await accountWarnings(context.accounts, {
            userId,
            component,
            ...(plan.pending ?? { ...plan, traits: source.traits }),
          })
        : [];
      const warnings = [...codeWarnings(selectors, component), ...aboutAccounts];
      const changed = await sources.change(source, plan);
      if (!changed) return undefined;
      if (!plan.pending) return { source: { ...source, configuration: changed, updatedAt: plan.updatedAt }, warnings };
      await sendRevision(context, source, plan.pending);
      return { source: await outcomeOf(context, id, plan.pending.revision, deadline), warnings };
    },
  });
}

/** The props, with the stored additional ones: the component is asked again only when its code or the values change. */
async function configurationOf(
  context: UpdateSourceContext,
  {
    source: { ownerId: userId, configuration },
    component,
    settings,
    deadline,
  }: { source: Source; component: Component; settings: SourceRequest['settings']; deadline: number },
) {
  const configuredProps = settings.configuredProps ?? {};
  const { bundleHash, additionalProps = [], configuredProps: storedProps } = configuration;
  if (settings.configuredProps === undefined && component.bundleHash === bundleHash) {
    const kept = asksForProps(component.description) ? additionalProps : undefined;
    const props = readProps(descriptionWith(component, kept), { configuredProps, storedProps });
    return { props, additionalProps: kept };
  }
  return readConfiguration(context, { component, userId, configuredProps, storedProps, deadline });
}

async function outcomeOf(
  context: UpdateSourceContext,
  id: SourceId,
  revision: number,
  deadline: number,
): Promise<Source> {
  const latest = await watchSource(context, id, { isDone: hasEnded(revision), until: deadline });
  if (!latest) throw notFound(`source ${id}`);
  const { outcome, pending } = latest;
  if (outcome?.revision === revision && !outcome.ok) throw hookFailed(outcome);
  // The revision is pending at the deadline: answer with the source as it will be.
  return pending?.revision === revision ? asPending(latest, pending) : latest;
}

const asPending = (source: Source, { configuration, traits }: NonNullable<Source['pending']>): Source => ({
  ...source,
  configuration,
  traits,
  state: configuration.active ? 'activating' : 'inactive',
});

/** Waits until the source has no pending revision. */
async function idleSource(context: UpdateSourceContext, id: SourceId, until: number): Promise<Source> {
  let isSentAgain = false;
  for (;;) {
    const source = await watchSource(context, id, {
      isDone: ({ pending }) => pending === undefined || (!isSentAgain && isStale(pending, context.now())),
      until,
    });
    if (!source) throw notFound(`source ${id}`);
    if (!source.pending) return source;
    if (isSentAgain || !isStale(source.pending, context.now())) throw busy(id);
    isSentAgain = true;
    await sendRevision(context, source, source.pending);
  }
}

const isStale = ({ since }: NonNullable<Source['pending']>, now: number) => now - since > STALE_MS;

const busy = (id: SourceId) =>
  new ServiceError('source_busy', `Another update of ${id} is still in progress; try again shortly.`);

async function componentNow(
  { components }: UpdateSourceContext,
  { configuration: { componentId } }: Source,
): Promise<Component> {
  const component = await components.find(componentId);
  if (!component) throw new Error(`The component ${componentId} of a source does not exist`);
  return component;
}
