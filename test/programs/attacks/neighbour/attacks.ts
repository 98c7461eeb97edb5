import type { NeighbourAttack } from './attack.ts';
import { lines } from './lines.ts';
import { load } from './load.ts';
import { names } from './names.ts';
import { reads } from './reads.ts';
import { receivers } from './receivers.ts';
import { requests } from './requests.ts';
import { runs } from './runs.ts';
import { canServeNames } from './silent-zone.ts';

/** Every attack, each for less than 12 s. A group of them has a file of its own. */
export const neighbourAttacks: readonly NeighbourAttack[] = [
  ...load,
  ...lines,
  ...requests,
  ...runs,
  ...reads,
  ...(canServeNames ? names : []),
  ...receivers,
];
