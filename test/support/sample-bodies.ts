import { randomBytes } from 'node:crypto';
import { seededRandom } from './seeded-random.ts';

/**
 * Bodies as services send them: names of members repeat, and ids, amounts, times and people differ. All have `n` and
 * {@link MARK}.
 */
export const MARK = 'counted:';

export type SampleBody = 'order' | 'invoice' | 'random' | 'document' | 'file';
export type MakeBody = (n: number) => string;

const FIRST = ['anna', 'ben', 'carla', 'deniz', 'emil', 'farah', 'grace', 'hugo', 'ines', 'jonas', 'kira'];
const LAST = ['meyer', 'garcia', 'okafor', 'novak', 'rossi', 'dubois', 'tanaka', 'silva', 'larsen', 'kaya'];
const randomText = (characters: number) => randomBytes(characters).toString('base64').slice(0, characters);
const DAY = Date.UTC(2026, 10, 2);

/** Random content differs between runs; the rest is the same for the same seed. */
export function sampleBody(kind: SampleBody, seed = 1): MakeBody {
  const random = seededRandom(seed);
  const below = (end: number) => Math.floor(random() * end);
  const oneOf = <T>(choices: readonly T[]): T | undefined => choices[below(choices.length)];
  const id = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => below(256))).toString('base64url');
  const email = () => `${oneOf(FIRST)}.${oneOf(LAST)}${below(100)}@example.com`;

  const bodies = {
    order: (n: number) => ({
      id: `${MARK}${id(9)}`,
      type: oneOf(['order.paid', 'order.created', 'order.shipped']),
      n,
      amount: below(100_000) / 100,
      currency: oneOf(['EUR', 'USD', 'GBP']),
      customer: { id: `cus_${id(9)}`, email: email() },
    }),
    invoice: (n: number) => ({
      id: `${MARK}${id(12)}`,
      object: 'invoice',
      n,
      created: DAY / 1_000 + 7 * n,
      due: new Date(DAY + below(1e9)).toISOString(),
      customer: {
        id: `cus_${id(9)}`,
        email: email(),
        address: { city: oneOf(LAST), postal_code: below(90_000) },
      },
      status: oneOf(['paid', 'open', 'draft']),
      currency: oneOf(['eur', 'usd']),
      total: below(1e6),
      tax: below(1e5),
      lines: 1 + below(9),
      livemode: true,
    }),
    random: (n: number) => ({ n, text: MARK + randomText(992) }),
    document: (n: number) => ({ n, text: MARK + randomText(100_000) }),
    file: (n: number) => ({ n, text: MARK + randomText(300_000) }),
  };
  return (n) => JSON.stringify(bodies[kind](n));
}
