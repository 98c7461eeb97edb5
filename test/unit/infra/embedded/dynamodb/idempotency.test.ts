import { expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { Idempotency } from '../../../../../infra/embedded/dynamodb/idempotency.ts';

const MINUTE = 60_000;

/** A clock that goes where it is sent, backwards too. */
class SettableClock extends FakeClock {
  setBack = 0;
  override now(): number {
    return super.now() - this.setBack;
  }
}

function transactions(maxGeneration?: number) {
  const clock = new SettableClock();
  const idempotency = new Idempotency(clock, maxGeneration);
  let runs = 0;
  const once = (ClientRequestToken: string, TransactItems: object[] = []) => {
    const before = runs;
    idempotency.once({ ClientRequestToken, TransactItems }, () => {
      runs += 1;
      return {};
    });
    return runs > before ? 'done' : 'answered';
  };
  return { clock, once };
}

test('a token counts for ten minutes', () => {
  const { clock, once } = transactions();
  expect(once('token')).toBe('done');
  clock.advance(10 * MINUTE - 1);
  expect(once('token')).toBe('answered');
  clock.advance(1);
  expect(once('token')).toBe('done');
});

test('a clock that is set back makes a token count neither longer nor shorter', () => {
  const { clock, once } = transactions();
  once('token');
  clock.advance(9 * MINUTE);
  expect(once('token')).toBe('answered');
  clock.setBack = 60 * MINUTE;
  expect(once('token')).toBe('answered');
  clock.advance(MINUTE);
  expect(once('token')).toBe('done');
});

test('the oldest tokens are forgotten when the limit is exceeded', () => {
  const { once } = transactions(2);
  for (const token of ['a', 'b', 'c', 'd', 'e']) once(token);
  expect(['c', 'd', 'e', 'a'].map((token) => once(token))).toEqual(['answered', 'answered', 'answered', 'done']);
});

test('a token counts for ten minutes also when others came much later', () => {
  const { clock, once } = transactions();
  once('first');
  clock.advance(9 * MINUTE);
  once('token');
  clock.advance(9 * MINUTE);
  expect(['token', 'first'].map((token) => once(token))).toEqual(['answered', 'done']);
});

test('another request with a token that counts is refused', () => {
  const { once } = transactions();
  once('token', [{ Put: { TableName: 'a' } }]);
  expect(() => once('token', [{ Put: { TableName: 'b' } }])).toThrow(
    expect.objectContaining({ name: 'IdempotentParameterMismatchException' }) as Error,
  );
});
