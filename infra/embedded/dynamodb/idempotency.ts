import { AwsError, type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { type Input } from './request.ts';
import { itemText } from './item-text.ts';
import { takeItem } from './value.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const VALID_MS = 10 * 60 * 1000;

/** Remembers transactions by their ClientRequestToken: the same again is answered, not done again. */
export class Idempotency {
  private readonly known = new Map<string, { request: string; at: number; output: Output }>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  once(input: Input, run: () => Output): Output {
    const token = input.ClientRequestToken;
    if (typeof token !== 'string') return run();
    this.forget();
    const request = fingerprint(input);
    const known = this.known.get(token);
    if (known) {
      if (known.request === request) return { ...known.output };
      throw new AwsError(
        'IdempotentParameterMismatchException',
        'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
      );
    }
    const output = run();
    this.known.set(token, { request, at: this.clock.now(), output: { ...output } });
    return output;
  }

  private forget(): void {
    const oldest = this.clock.now() - VALID_MS;
    for (const [token, { at }] of this.known) {
      if (at > oldest) break;
      this.known.delete(token);
    }
  }
}

function fingerprint({ TransactItems }: Input): string {
  const { item, plain } = takeItem({ TransactItems });
  return itemText(item, plain);
}
