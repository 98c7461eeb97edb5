import { LEVELS, type Level } from '../../../infra/embedded/isolation/levels.ts';
import { repetitions } from '../../support/repetitions.ts';
import { chooseIsolation } from '../../../infra/embedded/isolation/level.ts';

async function isAvailable(level: Level): Promise<boolean> {
  return chooseIsolation(level).then(
    () => true,
    () => false,
  );
}

const found = await Promise.all(LEVELS.map(isAvailable));

/** The levels that this machine has. The suite runs at each. */
export const availableLevels: readonly Level[] = LEVELS.filter((_, index) => found[index]);

/** The levels at which this run makes the attacks: `npm test` takes the strongest, `npm run test:long` all. */
export const testedLevels: readonly Level[] = availableLevels.slice(0, repetitions(1, LEVELS.length));
