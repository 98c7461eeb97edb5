import type { Limits } from '../../domain/limits.ts';
import type { AutoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { SubscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { ServiceError, notFound } from '../../domain/errors.ts';
import { newId, SourceId, type UserId } from '../../domain/id.ts';
import { detailsOf } from '../../domain/run/failure-report.ts';
import type { Requested } from '../../domain/requested.ts';
import type { HookFailure, Source, SourceSettings } from '../../domain/source/source.ts';
import { hasOrigins } from '../../domain/source/endpoint-address.ts';
import { planSource } from '../../domain/source/source-revision.ts';
import { accountWarnings } from '../accounts/account-warnings.ts';
import {
  codeWarnings,
  type ComponentSelectors,
  selectComponent,
  type SelectComponentContext,
} from '../components/select-component.ts';
import { type DeleteSourceContext, removeSource } from './delete-source.ts';
import { readConfiguration, type ReadConfigurationContext } from './read-configuration.ts';
import { storageLimitReached } from '../admission/storage.ts';
import { hasEnded, watchSource, type WatchContext } from './watch-source.ts';
import { invalidField } from '../../domain/check.ts';

export interface CreateSourceContext
  extends SelectComponentContext, ReadConfigurationContext, WatchContext, DeleteSourceContext {
  sources: WatchContext['sources'] & DeleteSourceContext['sources'] & Pick<SourceStore, 'create'>;
  subscriptions: SubscriptionStore;
  autoSubscriptions: Pick<AutoSubscriptionStore, 'applyTo'>;
  limits: Pick<Limits, 'sources' | 'components' | 'subscriptions'>;
  ingressUrl: string;
}

export interface SourceRequest {
  selectors: ComponentSelectors;
  settings: Requested<SourceSettings>;
  userId: UserId;
  /** Time by which the request must be answered, epoch ms. */
  deadline: number;
}

/** A source after a request, with one sentence for each slip of the request that is legal. */
export interface ChangedSource {
  source: Source;
  warnings: string[];
}

/**
 * Stores the source, applies auto-subscriptions, queues its hooks as the source's first message, and waits for them
 * until the deadline. When a hook fails before the deadline, the source is removed.
 */
export async function createSource(
  context: CreateSourceContext,
  { selectors, settings, userId, deadline }: SourceRequest,
): Promise<ChangedSource> {
  const { sources, limits, storage, random, now } = context;
  const configuredProps = settings.configuredProps ?? {};
  checkEndpointForm(context, settings);
  if (await storage.isFull(userId)) throw storageLimitReached(storage.limit);
  const component = await selectComponent(context, userId, selectors);
  const configuration = await readConfiguration(context, {
    component,
    userId,
    configuredProps,
    deadline,
  });
  const at = now();
  const plan = planSource({
    id: SourceId.parse(newId('source', at, random)),
    component,
    ownerId: userId,
    settings,
    ...configuration,
    endpointId: newEndpointId(context),
    now: at,
  });
  const aboutAccounts = await accountWarnings(context.accounts, { userId, component, ...plan });
  const warnings = [...codeWarnings(selectors, component), ...aboutAccounts];
  const source = await sources.create(plan, limits.sources);
  await startHooks(context, source);
  const latest = await watchSource(context, source.id, { isDone: hasEnded(1), until: deadline });
  if (!latest) throw notFound(`source ${source.id}`);
  if (latest.outcome?.ok !== false) return { source: latest, warnings };
  await removeSource(context, latest);
  throw hookFailed(latest.outcome);
}

/**
 * Applies auto-subscriptions and queues the hooks. Removes the source on failure: the caller gets no id to delete it
 * by.
 */
async function startHooks(context: CreateSourceContext, source: Source): Promise<void> {
  const { subscriptions, autoSubscriptions, limits, random, now } = context;
  const { id, ownerId, pending } = source;
  try {
    await autoSubscriptions.applyTo(subscriptions, {
      emitterId: id,
      ownerId,
      now: now(),
      random,
      limit: limits.subscriptions,
    });
    if (pending) await sendRevision(context, source, pending);
  } catch (error) {
    await removeSource(context, source);
    throw error;
  }
}

export async function sendRevision(
  { sendTriggers, now }: Pick<DeleteSourceContext, 'sendTriggers' | 'now'>,
  { id: emitterId, ownerId }: Pick<Source, 'id' | 'ownerId'>,
  { triggerId, revision }: NonNullable<Source['pending']>,
): Promise<void> {
  await sendTriggers([{ kind: 'lifecycle', id: triggerId, emitterId, ownerId, at: now(), revision }]);
}

/** 128 random bits: the address is the only credential of an endpoint. */
export const newEndpointId = ({ random }: Pick<CreateSourceContext, 'random'>): string =>
  Buffer.from(random(16)).toString('hex');

/** An endpoint is an origin only where the ingress has a wildcard host. */
export function checkEndpointForm(
  { ingressUrl }: Pick<CreateSourceContext, 'ingressUrl'>,
  { endpoint }: SourceRequest['settings'],
): void {
  if (endpoint !== 'origin' || hasOrigins(ingressUrl)) return;
  const message =
    'must be path: this service has no wildcard host. Its operator sets one: `*` in PUBLIC_URL, as in https://*.hooks.example.com, or on AWS in domain.ingress of the stage';
  throw invalidField('endpoint', message);
}

export function hookFailed({ hook, code, message = 'without a message', lines = [] }: HookFailure): ServiceError {
  if (code !== undefined) return new ServiceError(code, message);
  const what = hook === undefined ? 'A hook' : `The hook ${hook}`;
  const details = detailsOf(lines);
  return new ServiceError('hook_failed', `${what} of the component failed: ${message}`, {
    ...(details.length === 0 ? {} : { details }),
  });
}
