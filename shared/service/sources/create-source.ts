import { ServiceError } from '../../domain/errors.ts';
import { newId, SourceId, type UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source.ts';
import { planSource } from '../../domain/source-revision.ts';
import { selectComponent } from '../components/select-component.ts';
import type { NewSource } from '../../http/routes/source-routes.ts';
import { removeSource } from './delete-source.ts';
import { invalidProps, readConfiguration } from './read-configuration.ts';
import { sourceNotFound, type SourceServices } from './owned-source.ts';
import { hasEnded, watchSource } from './watch-source.ts';

export interface SourceRequest<Input> {
  input: Input;
  userId: UserId;
  /** The answer is due then, epoch ms. */
  deadline: number;
}

/**
 * Stores the source, applies auto-subscriptions, then lets its hooks run as the first message of its queue, and waits for them as
 * long as the answer may take. A hook that fails meanwhile leaves nothing behind.
 */
export async function createSource(
  services: SourceServices,
  { input, userId, deadline }: SourceRequest<NewSource>,
): Promise<Source> {
  const { sources, limits, random, now } = services;
  const component = await selectComponent(services, userId, input);
  const configuredProps = input.configured_props ?? {};
  const additionalProps = await readConfiguration(services, {
    component,
    userId,
    given: configuredProps,
    deadline,
  });
  const at = now();
  const planned = planSource({
    id: SourceId.parse(newId('source', at, random)),
    component,
    ownerId: userId,
    name: input.name,
    configuredProps,
    additionalProps,
    endpointId: newEndpointId(services),
    now: at,
  });
  if (!planned.ok) throw invalidProps(planned.details);
  const source = await sources.create(planned.plan, limits.sources);
  await begin(services, source);
  const seen = await watchSource(services, source.id, { isDone: hasEnded(1), until: deadline });
  if (!seen) throw sourceNotFound(source.id);
  if (seen.outcome?.ok !== false) return seen;
  await removeSource(services, seen);
  throw hookFailed(seen.outcome.message);
}

/** From here on a failure takes the source with it: its owner has not learnt of it yet. */
async function begin(services: SourceServices, source: Source): Promise<void> {
  const { subscriptions, autoSubscriptions, limits, random, now } = services;
  const { id, ownerId, pending } = source;
  try {
    await autoSubscriptions.applyTo(subscriptions, {
      emitterId: id,
      ownerId,
      now: now(),
      random,
      limit: limits.subscriptions,
    });
    if (pending) await sendRevision(services, source, pending);
  } catch (error) {
    await removeSource(services, source);
    throw error;
  }
}

export async function sendRevision(
  { sendTriggers, now }: Pick<SourceServices, 'sendTriggers' | 'now'>,
  { id: emitterId, ownerId }: Pick<Source, 'id' | 'ownerId'>,
  { triggerId, revision }: NonNullable<Source['pending']>,
): Promise<void> {
  await sendTriggers([{ kind: 'lifecycle', id: triggerId, emitterId, ownerId, at: now(), revision }]);
}

/** 128 random bits: whoever knows the address may send. */
export const newEndpointId = ({ random }: Pick<SourceServices, 'random'>): string =>
  Buffer.from(random(16)).toString('hex');

export const hookFailed = (message = 'without a message') =>
  new ServiceError('invalid', 'hook_failed', `A hook of the component failed: ${message}`);
