import fc from 'fast-check';
import { STREAMS, type Tenant } from '../tenant.ts';
import { picked, type StepKind } from './step.ts';

interface Chosen {
  emitter: number;
  listener: number;
  stream: (typeof STREAMS)[number];
  isGlob: boolean;
  isFiltered: boolean;
}

const chosen = fc.record({
  emitter: fc.nat(),
  listener: fc.nat(),
  stream: fc.constantFrom(...STREAMS),
  isGlob: fc.nat({ max: 5 }).map((number) => number === 0),
  isFiltered: fc.nat({ max: 3 }).map((number) => number === 0),
});

/** Globs only for webhooks: sources that listen to each other make loops, which the service cuts. */
function keyOf({ emitters, listeners, webhooks }: Tenant, { emitter, listener, stream, isGlob }: Chosen) {
  const from = picked(emitters, emitter);
  const to = picked([...webhooks.map(({ id }) => id), ...listeners], listener);
  if (!from || to === undefined) return undefined;
  const glob = isGlob && to.startsWith('wh_');
  return [glob ? `${from.id.slice(0, from.id.indexOf('_'))}_*` : from.id, to, stream] as const;
}

export const subscribe: StepKind<Chosen> = {
  weight: 40,
  parameters: chosen,
  async play({ tenant }, parameters) {
    const key = keyOf(tenant, parameters);
    if (key) await tenant.subscribe(...key, parameters.isFiltered);
  },
};

/** Ends a subscription that was asked for before. */
export const unsubscribe: StepKind<number> = {
  weight: 10,
  parameters: fc.nat(),
  async play({ tenant }, pick) {
    const known = picked(tenant.history.subscriptions, pick);
    const stream = STREAMS.find((each) => each === known?.stream);
    if (known && stream) await tenant.unsubscribe(known.emitter, known.listenerId, stream);
  },
};
