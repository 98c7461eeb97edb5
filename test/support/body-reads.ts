import { createBodyReads } from '../../shared/service/admission/body-reads.ts';
import { FairGate } from '../../shared/lib/reading/fair-gate.ts';
import { finishNow } from '../../shared/lib/reading/work-steps.ts';
import type { StoredEvent } from '../../shared/store/events/event-item.ts';

/** Steps and bytes without a pause: tests with a clock of their own must not wait for the real one. */
export const stepsAtOnce = {
  finish: <T>(begin: () => Generator<undefined, T, undefined>): Promise<T> =>
    Promise.resolve().then(() => finishNow(begin())),
};

/** Reads of events whose JSON is whole. `whole` may count or delay them. */
export const bodyReads = (whole: (json: string) => Promise<string> = (json) => Promise.resolve(json)) =>
  createBodyReads(
    { whole: (_emitter: unknown, { json }: Pick<StoredEvent, 'json'>) => whole(json) },
    { gate: new FairGate(), rate: { spend: () => Promise.resolve() }, steps: stepsAtOnce },
  );
