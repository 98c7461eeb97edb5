import { createHash } from 'node:crypto';
import { AgeOrderedMap } from '../age-ordered-map.ts';
import { AwsError, type Input, type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { SteadyTime } from '../steady-time.ts';
import { itemText } from './item-text.ts';
import { takeItem } from './take-item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const VALID_MS = 10 * 60 * 1000;
/** Enough for 170 transactions a second; at a higher rate the oldest are forgotten early. */
const MAX_KNOWN = 100_000;

interface Known {
  /** Hash of the requested writes, which may have 4 MB. */
  readonly request: string;
  readonly end: number;
  readonly output: Output;
}

/** Remembers transactions by their ClientRequestToken, so that a repeated request gets the first response and writes nothing. */
export class Idempotency {
  readonly #known = new AgeOrderedMap<Known>();
  readonly #time = new SteadyTime();
  readonly #clock: Clock;
  readonly #maxKnown: number;

  constructor(clock: Clock, maxKnown = MAX_KNOWN) {
    this.#clock = clock;
    this.#maxKnown = maxKnown;
  }

  once(input: Input, run: () => Output): Output {
    const token = input.ClientRequestToken;
    if (typeof token !== 'string') return run();
    const time = this.#time.at(this.#clock.now());
    this.#forget(time);
    const request = fingerprint(input);
    const known = this.#known.get(token);
    if (known) {
      if (known.request === request) return { ...known.output };
      throw new AwsError(
        'IdempotentParameterMismatchException',
        'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
      );
    }
    const output = run();
    this.#known.set(token, { request, end: time + VALID_MS, output: { ...output } });
    if (this.#known.size > this.#maxKnown) this.#known.deleteOldest();
    return output;
  }

  #forget(time: number): void {
    for (let oldest = this.#known.oldest(); oldest; oldest = this.#known.oldest()) {
      if (oldest.value.end > time) return;
      this.#known.deleteOldest();
    }
  }
}

function fingerprint({ TransactItems }: Input): string {
  const { item, plain } = takeItem({ TransactItems });
  return createHash('sha256').update(itemText(item, plain)).digest('base64');
}
