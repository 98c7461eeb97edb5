import type { ErrorDetail } from '../../errors.ts';

/** A position in a pattern. All positions of one pattern collect their problems in one list. */
export interface Position {
  /** Records a problem. The result stands in for the condition that cannot be built. */
  refuse(message: string): () => boolean;
  in(name: string | number): Position;
}

export const positionIn = (details: ErrorDetail[], path: string): Position => ({
  refuse(message) {
    details.push({ path, message });
    return () => false;
  },
  in: (name) => positionIn(details, `${path}.${name}`),
});
