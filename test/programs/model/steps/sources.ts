import fc from 'fast-check';
import { picked, type StepKind } from './step.ts';

const kinds = ['remembering', 'pass-through', 'listening'] as const;

export const createSource: StepKind<(typeof kinds)[number]> = {
  weight: 7,
  parameters: fc.constantFrom(...kinds),
  play: ({ tenant }, kind) => tenant.createSource(kind),
};

export const deleteSource: StepKind<number> = {
  weight: 4,
  parameters: fc.nat(),
  async play({ tenant }, pick) {
    const id = picked(tenant.sourceIds, pick);
    if (id !== undefined) await tenant.deleteSource(id);
  },
};

export const deleteEvents: StepKind<number> = {
  weight: 4,
  parameters: fc.nat(),
  async play({ tenant }, pick) {
    const emitter = picked(
      tenant.emitters.filter(({ kind }) => kind !== 'workflow'),
      pick,
    );
    if (emitter) await tenant.deleteEvents(emitter.id);
  },
};

/** Changes a prop, which the consumer of the source's queue executes. */
export const updateSource: StepKind<number> = {
  weight: 6,
  parameters: fc.nat(),
  async play({ tenant }, pick) {
    const id = picked(tenant.sourceIds, pick);
    if (id !== undefined) await tenant.updateSource(id);
  },
};
