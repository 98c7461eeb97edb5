import type { EmitTrigger } from '../domain/run/message.ts';

/** Sends an emit to the queue of its source. */
export type SendEmit = (trigger: EmitTrigger) => Promise<unknown>;

/** The property of `process` with a {@link SendEmit}, where processes of components go on between runs. */
export const EMIT_QUEUE = Symbol.for('tributary.emit.queue');
