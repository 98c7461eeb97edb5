import * as z from 'zod';
import { type EmitterId, isSourceId, SourceId } from './id.ts';
import { newTrace, Trace } from './trace.ts';

/** Limit for chains of sources that listen to each other. */
export const MAX_HOPS = 16;
/** Times that one chain may pass the same source. */
const MAX_PASSES = 2;

/** The ancestry of an event. Every message on its way has these fields: at most 1.2 KB, because `MAX_HOPS` limits them. */
export const chainFields = {
  hops: z.number().int(),
  /** Ids of the sources that ran before this message's emitter, oldest first. Absent at the beginning of a chain. */
  passed: z.array(SourceId).optional(),
  /** Absent in a trigger whose request had none. */
  trace: Trace.optional(),
};
export type Chain = z.infer<z.ZodObject<typeof chainFields>>;

/** The chain of the events of a run. */
export const chainOf = ({ id, hops, passed, trace = newTrace(id) }: Chain & { id: string }): Chain => ({
  hops,
  ...(passed ? { passed } : {}),
  trace,
});

/** The chain after an event of the emitter was given to a listening source. */
export const nextChain = ({ hops, passed = [], trace }: Chain, emitterId: EmitterId): Chain => {
  const next = isSourceId(emitterId) ? [...passed, emitterId] : passed;
  return { hops: hops + 1, ...(next.length > 0 ? { passed: next } : {}), ...(trace ? { trace } : {}) };
};

/** Why the emitter must not run for this chain. Undefined while it may. */
export function chainLimit({ hops, passed = [] }: Chain, emitterId: EmitterId): string | undefined {
  if (hops > MAX_HOPS) return `A chain of sources was cut after ${MAX_HOPS} hops`;
  if (passed.filter((id) => id === emitterId).length < MAX_PASSES) return undefined;
  return (
    `A chain of sources was cut: its events reached ${emitterId} a third time. ` +
    'Delete one of the subscriptions that lead back to this source, or emit only when there is something new'
  );
}
