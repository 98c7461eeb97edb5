import { ServiceError } from '../../domain/errors.ts';
import type { Random, SourceId, UserId } from '../../domain/id.ts';
import { effectiveSource } from '../../domain/source/effective-source.ts';
import type { Trigger } from '../../domain/run/message.ts';
import { timerEvent } from '../../domain/source/timer-event.ts';
import type { Trace } from '../../domain/event/trace.ts';
import { type Admission, refusedError } from '../admission/admission.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';

interface RequestRunContext extends OwnedSourceContext {
  admission: Admission;
  /** Resolves when the triggers are durable. */
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  random: Random;
  now(): number;
}

export interface RunRequest {
  id: SourceId;
  userId: UserId;
  /** JSON text of the event; defaults to a tick's event for timer sources, else `{}`. */
  event: string | undefined;
  trace: Trace | undefined;
}

/** Queues one run. Returns the trigger's id once the trigger is durable. */
export async function requestRun(
  context: RequestRunContext,
  { id, userId, event, trace }: RunRequest,
): Promise<string> {
  const { sendTriggers, random, now } = context;
  const source = effectiveSource(await ownedSource(context, id, userId));
  if (!source) {
    throw new ServiceError(
      'invalid',
      'invalid_request',
      `The source ${id} is not active: enable it first (PUT with "active": true).`,
    );
  }
  const refusal = await context.admission.admit({ sourceId: id, ownerId: userId }, 'api');
  if (refusal) throw refusedError(refusal);
  const { timer, timerProp } = source.traits;
  const defaultEvent = timerProp === undefined ? '{}' : timerEvent(now(), timer);
  const triggerId = `api-${Buffer.from(random(16)).toString('hex')}`;
  await sendTriggers([
    {
      kind: 'run',
      id: triggerId,
      emitterId: id,
      ownerId: userId,
      at: now(),
      cause: 'api',
      payload: { json: event ?? defaultEvent },
      hops: 0,
      ...(trace ? { trace } : {}),
    },
  ]);
  return triggerId;
}
