import fc from 'fast-check';
import { STREAMS } from '../tenant.ts';
import { picked, type StepKind } from './step.ts';

/** Sends a few events to one emitter at the same time. */
export const send: StepKind<{
  emitter: number;
  count: number;
  stream: (typeof STREAMS)[number];
  size: number;
}> = {
  weight: 120,
  parameters: fc.record({
    emitter: fc.nat(),
    count: fc.integer({ min: 1, max: 6 }),
    stream: fc.constantFrom(...STREAMS),
    // Most events are one item of the table. Some need an item for their body, a few an object of the bucket.
    size: fc.oneof(
      { weight: 12, arbitrary: fc.constant(10) },
      { weight: 4, arbitrary: fc.constant(3_000) },
      { weight: 1, arbitrary: fc.constant(250_000) },
    ),
  }),
  async play({ tenant }, { emitter: pick, count, stream, size }) {
    const emitter = picked(tenant.emitters, pick);
    if (!emitter) return;
    const pad = 'x'.repeat(size);
    await Promise.all(Array.from({ length: count }, () => tenant.send(emitter, { stream, pad })));
  },
};
