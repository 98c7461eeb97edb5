import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import { effectiveSource } from '../../domain/effective-source.ts';
import { refusedForMs } from '../../domain/overload.ts';
import { timerEvent } from '../../domain/timer-event.ts';
import { secondsUntilReset } from '../admission/quotas.ts';
import { ownedSource, type SourceServices } from './owned-source.ts';

export interface RunRequest {
  id: SourceId;
  userId: UserId;
  /** JSON text of the event; without one a timer source gets a tick's, others `{}`. */
  event: string | undefined;
}

/** Queues one run, and answers with the trigger's id once it is durable. */
export async function requestRun(
  services: SourceServices,
  { id, userId, event }: RunRequest,
): Promise<string> {
  const { quotas, sendTriggers, random, now } = services;
  const source = effectiveSource(await ownedSource(services, id, userId));
  if (!source) {
    throw new ServiceError(
      'invalid',
      'invalid_request',
      `${id} is not active; PUT it with "active": true first.`,
    );
  }
  if (await quotas.isOver(userId)) {
    throw new ServiceError('rate_limited', 'quota_exceeded', "Today's quota of your plan is used up.", {
      retryAfterSeconds: secondsUntilReset(now()),
    });
  }
  const refusedMs = refusedForMs(await services.overloadedUntil(id), now());
  if (refusedMs > 0) {
    throw new ServiceError('rate_limited', 'lagging', 'The source is more than a minute behind.', {
      retryAfterSeconds: Math.ceil(refusedMs / 1_000),
    });
  }
  const { timer, timerProp } = source.traits;
  const standard = timerProp === undefined ? '{}' : timerEvent(now(), timer);
  const triggerId = `api-${Buffer.from(random(16)).toString('hex')}`;
  await sendTriggers([
    {
      kind: 'run',
      id: triggerId,
      emitterId: id,
      ownerId: userId,
      at: now(),
      cause: 'api',
      payload: { json: event ?? standard },
      hops: 0,
    },
  ]);
  return triggerId;
}
