/** The lines of a scale above zero, at most. */
const MAX_LINES = 4;

/** The labelled counts of a scale: from 0 to the first one that no count is above. */
export function countSteps(max: number): readonly number[] {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, max / MAX_LINES)));
  const step = unit * ([1, 2, 5].find((factor) => factor * unit * MAX_LINES >= max) ?? 10);
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, n) => n * step);
}
