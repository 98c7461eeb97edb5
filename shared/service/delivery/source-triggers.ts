import { chainLimit, nextChain } from '../../domain/chain.ts';
import { isSourceId } from '../../domain/id.ts';
import type { DeliveryMessage, RunTrigger, Trigger } from '../../domain/message.ts';
import type { Source } from '../../domain/source.ts';
import type { ListenerStore } from '../../store/matching.ts';
import type { Admission } from '../admission/admission.ts';
import type { MatchedEvents } from './matched-events.ts';

export interface SourceTriggerOptions {
  matching: Pick<ListenerStore, 'listeners'>;
  admission: Admission;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  now(): number;
}

/** Sends the triggers of the sources that listen. Resolves when they are queued. */
export function createSourceTriggers({ matching, admission, sendTriggers, now }: SourceTriggerOptions) {
  return async (matched: MatchedEvents): Promise<void> => {
    if (matched.sourceIds.length === 0) return;
    const listeners = [...(await matching.listeners(matched.sourceIds)).values()];
    const sources = listeners.flatMap((listener) => (listener.kind === 'source' ? [listener.source] : []));
    if (sources.length > 0) await sendTriggers(await triggersFor(matched, sources));
  };

  async function triggersFor(
    { messages, accepts }: MatchedEvents,
    sources: readonly Source[],
  ): Promise<Trigger[]> {
    const triggers: Trigger[] = [];
    const [first] = messages;
    const cause = first && isSourceId(first.emitterId) ? 'source' : 'workflow';
    for (const source of sources) {
      if (source.state === 'inactive' || source.state === 'failed' || source.state === 'deleting') continue;
      const refusal = await admission.admit({ sourceId: source.id, ownerId: source.ownerId }, cause);
      if (refusal) {
        if (refusal.skipNotice) triggers.push(refusal.skipNotice);
        continue;
      }
      for (const message of messages.filter((each) => accepts(each, source.id))) {
        // The `hop_limit` error event carries the chain that was cut, so it must not continue it.
        if (chainLimit(message, message.emitterId) === undefined)
          triggers.push(triggerOf(message, source, now()));
      }
    }
    return triggers;
  }
}

/** The id is derived from event and source, so that a repeated fan-out gives the same trigger. */
const triggerOf = (message: DeliveryMessage, source: Source, now: number): RunTrigger => ({
  kind: 'run',
  id: `event-${message.emitId}-${source.id}`,
  emitterId: source.id,
  ownerId: source.ownerId,
  at: now,
  cause: isSourceId(message.emitterId) ? 'source' : 'workflow',
  payload: message.payload,
  ...nextChain(message, message.emitterId),
});
