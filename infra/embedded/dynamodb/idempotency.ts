import { createHash } from 'node:crypto';
import { AgeOrderedMap } from '../age-ordered-map.ts';
import { AwsError, type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { SteadyTime } from '../steady-time.ts';
import { type Input } from './request.ts';
import { itemText } from './item-text.ts';
import { takeItem } from './value.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const VALID_MS = 10 * 60 * 1000;
/** 170 transactions a second; of more the oldest are forgotten early. */
const MOST_KNOWN = 100_000;

interface Known {
  /** Hash of what was to be written, which may be 4 MB. */
  readonly request: string;
  readonly end: number;
  readonly output: Output;
}

/** Remembers transactions by their ClientRequestToken: the same again is answered, not done again. */
export class Idempotency {
  readonly #known = new AgeOrderedMap<Known>();
  readonly #time = new SteadyTime();
  readonly #clock: Clock;
  readonly #most: number;

  constructor(clock: Clock, most = MOST_KNOWN) {
    this.#clock = clock;
    this.#most = most;
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
    if (this.#known.size > this.#most) this.#known.deleteOldest();
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
