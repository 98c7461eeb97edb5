import type { ErrorDetail } from '../../errors.ts';

/** A place in a pattern. All places of one pattern collect their problems in one list. */
export interface Place {
  /** Records a problem. The result stands in for the condition that cannot be built. */
  refuse(message: string): () => boolean;
  in(name: string | number): Place;
}

export const placeIn = (details: ErrorDetail[], path: string): Place => ({
  refuse(message) {
    details.push({ path, message });
    return () => false;
  },
  in: (name) => placeIn(details, `${path}.${name}`),
});
