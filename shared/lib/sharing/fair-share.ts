/** The part of a limit beyond which it is shared, and the part of it that each party may then have. */
export const SHARED_BEYOND = 3 / 4;
const PART_OF_ONE = 1 / 4;

/** A limit that several parties use, such as the sources of a user. */
export interface SharedLimit {
  limit: number;
  usedByAll: number;
  /** The part of it that is used by the party that asks for more. */
  usedByOne: number;
}

/**
 * Whether a party may use more of a limit. Beyond three quarters of it, only a party that used less than a quarter
 * itself may, so that one party leaves a quarter to the others. An only party may use all.
 */
export const hasFairShare = ({ limit, usedByAll, usedByOne }: SharedLimit, isOnlyParty: boolean): boolean =>
  usedByAll < limit && (isOnlyParty || usedByAll < limit * SHARED_BEYOND || usedByOne < limit * PART_OF_ONE);

/**
 * {@link hasFairShare}, where it costs a read to find out whether a party is the only one: it is made when the outcome
 * depends on it.
 */
export const maySpend = async (use: SharedLimit, isOnlyParty: () => Promise<boolean>): Promise<boolean> =>
  hasFairShare(use, false) || (hasFairShare(use, true) && (await isOnlyParty()));
