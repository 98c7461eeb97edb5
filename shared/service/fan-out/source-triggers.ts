import { triggerPayloadKey } from '../../aws/object-keys.ts';
import { copiedPayload } from '../../aws/payloads.ts';
import { isOwnObject } from '../../domain/event/payload.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { type Chain, chainLimit, nextChain } from '../../domain/run/chain.ts';
import { isSourceId } from '../../domain/id.ts';
import type { DeliveryMessage, RunTrigger, Trigger } from '../../domain/run/message.ts';
import type { Source } from '../../domain/source/source.ts';
import type { MatchedEvents } from './matched-events.ts';
import type { FanOutServices } from './fan-out-services.ts';

/** Large payloads that are copied at the same time. */
const MAX_COPIES = 10;

/** Sends the triggers of the sources that listen. Resolves when they are queued. */
export function createSourceTriggers({ matching, admission, bucket, dropEvents, sendTriggers, now }: FanOutServices) {
  const copying = createLimiter(MAX_COPIES);

  return async (matched: MatchedEvents): Promise<void> => {
    if (matched.sourceIds.length === 0) return;
    const read = await Promise.allSettled(matched.sourceIds.map((id) => matching.listener(id)));
    const sources = read.flatMap((result) =>
      result.status === 'fulfilled' && result.value?.kind === 'source' ? [result.value.source] : [],
    );
    if (sources.length > 0) await sendTriggers(await withOwnPayloads(await triggersFor(matched, sources)));
    // A source that cannot be read brings the messages back, after the others got their triggers.
    const failed = read.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };

  /** Each trigger gets a payload of its own. It had one before if its message is done. */
  async function withOwnPayloads(triggers: readonly Trigger[]): Promise<Trigger[]> {
    const own = triggers.map(async (trigger) => {
      if (trigger.kind !== 'run' || !isOwnObject(trigger.payload)) return [trigger];
      const { payload } = trigger;
      const copy = await copying(() => copiedPayload(bucket, payload, triggerPayloadKey(trigger)));
      return copy ? [{ ...trigger, payload: copy }] : [];
    });
    return (await Promise.all(own)).flat();
  }

  async function triggersFor(
    { messages, accepts, hasNextPage }: MatchedEvents,
    listeners: readonly Source[],
  ): Promise<Trigger[]> {
    const triggers: Trigger[] = [];
    const [first] = messages;
    const cause = first && isSourceId(first.emitterId) ? 'source' : 'workflow';
    const sources = listeners.filter(
      ({ state, pending }) =>
        state !== 'inactive' && state !== 'failed' && state !== 'deleting' && pending?.configuration.active !== false,
    );
    const acceptingOf = new Map(messages.map((message) => [message, sources.filter(({ id }) => accepts(message, id))]));
    const cut = new Set<string>();
    for (const source of sources) {
      const refusal = await admission.admit({ sourceId: source.id, ownerId: source.ownerId }, cause);
      if (refusal?.code === 'storage_full') {
        const own = messages.filter((message) => acceptingOf.get(message)?.includes(source));
        await dropEvents.drop(
          source,
          own.map(({ eventId }) => eventId),
        );
        continue;
      }
      if (refusal) {
        if (refusal.skipNotice) triggers.push(refusal.skipNotice);
        continue;
      }
      await dropEvents.settle(source);
      for (const message of messages) {
        const accepting = acceptingOf.get(message) ?? [];
        const index = accepting.indexOf(source);
        // The `hop_limit` error event carries the chain that was cut, so it must not continue it.
        if (index < 0 || chainLimit(message, message.emitterId) !== undefined) continue;
        const chain = nextChain(message, message.emitterId, { index, count: accepting.length, hasNextPage });
        const trigger = triggerOf(message, source, { chain, now: now() });
        if (isCut(chain) && cut.has(trigger.id)) continue;
        if (isCut(chain)) cut.add(trigger.id);
        triggers.push(trigger);
      }
    }
    return triggers;
  }
}

const isCut = ({ left = 0 }: Chain) => left < 0;

/**
 * The id is derived from event and source, so that a repeated fan-out gives the same trigger. The trigger of a chain
 * that has used its runs only reports it: its id is that of the chain, so that the queue takes one report of a source
 * and chain in five minutes.
 */
const triggerOf = (
  message: DeliveryMessage,
  source: Source,
  { chain, now }: { chain: Chain; now: number },
): RunTrigger => ({
  kind: 'run',
  id: isCut(chain) ? `cut-${message.trace?.id ?? message.emitId}-${source.id}` : `event-${message.emitId}-${source.id}`,
  emitterId: source.id,
  ownerId: source.ownerId,
  at: now,
  cause: isSourceId(message.emitterId) ? 'source' : 'workflow',
  payload: message.payload,
  ...chain,
});
