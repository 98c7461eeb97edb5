import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../../../../shared/domain/account/account.ts';
import { ServiceError } from '../../../../../shared/domain/errors.ts';
import { AccountId } from '../../../../../shared/domain/id.ts';
import { BEHIND_AFTER_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import type { AccountReader } from '../../../../../shared/service/accounts/account-reader.ts';
import { accountGone } from '../../../../../shared/service/accounts/account-expired.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { ended, threw } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OAUTH_ACCOUNTS = [{ id: AccountId.parse('apn_1') } as Account];

let stage: World;
let problem: ServiceError | undefined;
let refused: (readonly Account[])[];
let calls: { callMs: number; waitMs?: number | undefined }[];

const accounts: AccountReader = {
  fillProps: (_owner, props, _apps, call) => {
    calls.push(call);
    return problem === undefined ? Promise.resolve({ props, oauthAccounts: OAUTH_ACCOUNTS }) : Promise.reject(problem);
  },
  fieldOf: () => Promise.resolve(undefined),
  refuse: (oauthAccounts) => Promise.resolve(void refused.push(oauthAccounts)),
};

beforeEach(async () => {
  problem = accountGone('apn_1', 'some_app');
  refused = [];
  calls = [];
  stage = await openWorld({ accounts });
  await stage.user();
});
afterEach(() => stage.close());

const errorsOf = async ({ id }: Source) =>
  (await stage.services.events.latest(id, '$errors')).map(
    ({ json }) =>
      JSON.parse(json) as {
        error: { code: string; message: string };
        original_event: Record<string, unknown>;
      },
  );
const run = (source: Source, payload: unknown = {}) => stage.execute(stage.received([stage.trigger(source, payload)]));
const tick = (source: Source) =>
  stage.execute(stage.received([stage.trigger(source, {}, { cause: 'timer', generation: source.generation })]));

describe('without a valid token of an account, a run', () => {
  test('does not start, costs nothing, and keeps its event in $errors', async () => {
    const source = await stage.source();
    expect(await run(source, { kept: 1 })).toEqual({ completed: 1 });
    const [error, ...others] = await errorsOf(source);
    expect(others).toEqual([]);
    expect(error?.error).toMatchObject({
      code: 'account_expired',
      message: expect.stringContaining('apn_1'),
    });
    expect(error?.original_event).toMatchObject({ kept: 1 });
    expect(stage.requests).toEqual([]);
    expect(await stage.services.usages.ofDay(stage.ownerId, stage.clock.now())).toEqual({
      invocations: 0,
      computeMs: 0,
    });
  });

  test('of a timer is reported once an hour', async () => {
    const source = await stage.source({ timer: { intervalSeconds: 60 } });
    stage.clock.advance(HOUR - (stage.clock.now() % HOUR));
    for (let minute = 0; minute < 120; minute += 10) {
      await tick(source);
      expect(await errorsOf(source)).toHaveLength(minute < 60 ? 1 : 2);
      stage.clock.advance(10 * MINUTE);
    }
    await run(source);
    await run(source);
    expect(await errorsOf(source)).toHaveLength(4);
  });

  test('that a sender waits for is answered with 503, and its event is in $errors', async () => {
    const source = await stage.source({ customResponse: true });
    const request = executeSynchronously(stage.synchronous(), stage.trigger(source), { json: '{"kept":1}' });
    await expect(request).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 60 });
    expect((await errorsOf(source))[0]?.original_event).toMatchObject({ kept: 1 });
    expect(calls).toEqual([{ callMs: expect.any(Number), waitMs: 10_000 }]);
  });

  test('goes back to its queue while another call renews the token', async () => {
    problem = new ServiceError('unavailable', 'The account is being renewed.');
    const source = await stage.source();
    expect(await run(source)).toEqual({ completed: 0, error: problem });
    expect(await errorsOf(source)).toEqual([]);
    problem = undefined;
    expect(await run(source)).toEqual({ completed: 1 });
  });
});

describe('a run that ends by an error with the status 401', () => {
  const unauthorized = {
    ...threw('Unauthorized'),
    error: { code: 'E', name: 'E', message: '', stack: '', status: 401 },
  };

  test('makes the next start renew its accounts first', async () => {
    problem = undefined;
    const source = await stage.source();
    stage.control.script = () => [unauthorized];
    await run(source);
    expect(refused).toEqual([OAUTH_ACCOUNTS]);
  });

  test('and no other error does', async () => {
    problem = undefined;
    const source = await stage.source();
    for (const line of [ended(), threw('E'), { ...unauthorized, error: { ...unauthorized.error, status: 403 } }]) {
      stage.control.script = () => [line];
      await run(source);
    }
    expect(refused).toEqual([]);
  });
});

test('the token is to live for the last job of a batch', async () => {
  problem = undefined;
  const source = await stage.source();
  await run(source);
  await stage.execute(stage.received([stage.trigger(source), stage.trigger(source)]));
  const [one, several] = calls;
  expect((several?.callMs ?? 0) - (one?.callMs ?? 0)).toBe(BEHIND_AFTER_MS);
});
