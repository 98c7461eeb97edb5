import { createHash } from 'node:crypto';
import { AwsError, type Input, type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { SteadyTime } from '../steady-time.ts';
import { constraint } from './request.ts';
import { itemText } from './rows/item-text.ts';
import { takeItem } from './values/take-item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const VALID_MS = 10 * 60 * 1000;
const MAX_TOKEN = 36;
/** Tokens of a generation. Enough for 80 transactions a second; at a higher rate the oldest are forgotten early. */
const MAX_GENERATION = 50_000;

interface Known {
  /** Hash of the requested writes, which may have 4 MB. */
  readonly request: string;
  readonly end: number;
  readonly output: Output;
}

/**
 * Remembers transactions by their ClientRequestToken, so that a repeated request gets the first response and writes
 * nothing. Tokens leave memory in two generations, because a `Map` steps over deleted entries to reach its oldest one.
 */
export class Idempotency {
  #young = new Map<string, Known>();
  #old = new Map<string, Known>();
  #youngSince = 0;
  readonly #time = new SteadyTime();
  readonly #clock: Clock;
  readonly #maxGeneration: number;

  constructor(clock: Clock, maxGeneration = MAX_GENERATION) {
    this.#clock = clock;
    this.#maxGeneration = maxGeneration;
  }

  once(input: Input, run: () => Output): Output {
    const token = input.ClientRequestToken;
    if (typeof token !== 'string') return run();
    if (token.length > MAX_TOKEN)
      throw constraint(token, 'clientRequestToken', `Member must have length less than or equal to ${MAX_TOKEN}`);
    const time = this.#time.at(this.#clock.now());
    this.#forget(time);
    const request = fingerprint(input);
    const known = this.#young.get(token) ?? this.#old.get(token);
    if (known && known.end > time) {
      if (known.request === request) return { ...known.output };
      throw new AwsError(
        'IdempotentParameterMismatchException',
        'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
      );
    }
    const output = run();
    this.#young.set(token, { request, end: time + VALID_MS, output: { ...output } });
    return output;
  }

  #forget(time: number): void {
    if (time < this.#youngSince + VALID_MS && this.#young.size < this.#maxGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSince = time;
  }
}

function fingerprint({ TransactItems }: Input): string {
  const { item, plain } = takeItem({ TransactItems });
  return createHash('sha256').update(itemText(item, plain)).digest('base64');
}
