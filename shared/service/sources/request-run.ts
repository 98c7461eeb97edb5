import { ServiceError } from '../../domain/errors.ts';
import type { Random, SourceId, UserId } from '../../domain/id.ts';
import { effectiveSource } from '../../domain/source/source.ts';
import type { Trigger } from '../../domain/run/message.ts';
import { REQUESTED_PREFIX } from '../../domain/run/answered-trigger.ts';
import type { Trace } from '../../domain/event/trace.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import type { RunRecordStore } from '../../store/emitters/run-records.ts';
import { type Admission, refusedError } from '../admission/admission.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';
import { requestedEvent } from './requested-event.ts';

interface RequestRunContext extends OwnedSourceContext {
  admission: Admission;
  backlogs: Pick<BacklogStore, 'waiting'>;
  /** Resolves when the triggers are durable. */
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  runRecords: Pick<RunRecordStore, 'request' | 'withdraw'>;
  ingressUrl: string;
  random: Random;
  now(): number;
}

export interface RunRequest {
  id: SourceId;
  userId: UserId;
  /** JSON text of the event, as the caller sent it. */
  event: string | undefined;
  clientIp: string;
  trace: Trace | undefined;
}

/**
 * Queues one run. Returns the trigger's id once the trigger is durable. The request is recorded first: a run that ends
 * at once removes it. A process that dies in between leaves a record of an id that no caller has.
 */
export async function requestRun(
  context: RequestRunContext,
  { id, userId, event, trace, clientIp }: RunRequest,
): Promise<string> {
  const { sendTriggers, runRecords, random, now } = context;
  const source = effectiveSource(await ownedSource(context, id, userId));
  if (!source) {
    throw new ServiceError(
      'invalid_request',
      `The source ${id} is not active: enable it first (PUT with "active": true).`,
    );
  }
  const waiting = (await context.backlogs.waiting([id])).get(id)?.count;
  const refusal = await context.admission.admit({ sourceId: id, ownerId: userId, waiting }, 'api');
  if (refusal) throw refusedError(refusal);
  const at = now();
  const { json, body } = requestedEvent(source, {
    text: event,
    ingressUrl: context.ingressUrl,
    form: source.configuration.endpoint,
    clientIp,
    now: at,
  });
  const triggerId = `${REQUESTED_PREFIX}${Buffer.from(random(16)).toString('hex')}`;
  await runRecords.request(id, { id: triggerId, receivedAt: at });
  try {
    await sendTriggers([
      {
        kind: 'run',
        id: triggerId,
        emitterId: id,
        ownerId: userId,
        at,
        cause: 'api',
        payload: { json },
        ...(body === undefined ? {} : { body }),
        hops: 0,
        ...(trace ? { trace } : {}),
      },
    ]);
  } catch (error) {
    // The item would expire by itself.
    await runRecords.withdraw(id, triggerId).catch(() => undefined);
    throw error;
  }
  return triggerId;
}
