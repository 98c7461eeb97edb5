import { randomFaults } from '../../infra/embedded/faults.ts';
import type { LoginPosition } from '../../shared/domain/oauth/login-position.ts';
import { apiClient } from './api-client.ts';
import { AuthorizationServer } from './authorization-server.ts';
import type { StartCounting } from './counted.ts';
import { registerTestClient, oauthFunctionOf } from './register-client.ts';
import { signInAt } from './sign-in.ts';
import { until } from './until.ts';

interface AccountCounts {
  writeUnits: number;
  readUnits: number;
  keyRequests: number;
  /** Invocations of the function that renews. */
  invocations: number;
  tokenRequests: number;
}

export interface CountedAccounts {
  /** A run with a valid token, less a run of a source without an account. */
  run: AccountCounts;
  /** A run that renews, less a run with a valid token. */
  renewal: AccountCounts;
  /** The daily job, for each account that it does not renew. */
  check: AccountCounts;
}

const RUNS = 6;
const RENEWALS = 3;
/** A longer run reads and writes more. On a busy machine some are longer: they are repeated. */
const SHORT_MS = 900;
const MAX_REPETITIONS = 100;
const IDLE_ACCOUNTS = 18;

const component = (props: string) => `export default {
  name: 'Counted', version: '0.0.1', props: { http: '$.interface.http', ${props} }, run() {},
};`;

/**
 * Counts what an account of kind `oauth` uses: at runs, at renewals, and without either. Its tokens have 27 characters.
 */
export async function countedAccounts(start: StartCounting): Promise<CountedAccounts> {
  let isCounting = false;
  let runs = 0;
  const counts: AccountCounts = {
    writeUnits: 0,
    readUnits: 0,
    keyRequests: 0,
    invocations: 0,
    tokenRequests: 0,
  };
  const started = await start({
    faults: randomFaults(1, {}),
    onConsumed(_table, _operation, { read = 0, write = 0 }) {
      if (!isCounting) return;
      counts.readUnits += read;
      counts.writeUnits += write;
    },
    onQueueRequest(queueName, operation) {
      if (queueName.endsWith('.fifo') && operation.startsWith('DeleteMessage')) runs += 1;
    },
  });
  const { functions, services } = started.cloud;
  const { kms } = services;
  const askKey = kms.call.bind(kms);
  kms.call = (operation, input) => {
    if (isCounting) counts.keyRequests += 1;
    return askKey(operation, input);
  };
  for (const [name, host] of functions) {
    if (!name.startsWith('OAuth')) continue;
    const invoke = host.invoke.bind(host);
    host.invoke = (invocation) => {
      if (isCounting) counts.invocations += 1;
      return invoke(invocation);
    };
  }
  const provider = await AuthorizationServer.start();

  /** The counts of the work, and of what it started. */
  async function during(work: () => Promise<unknown>): Promise<AccountCounts> {
    for (const name of names) counts[name] = 0;
    const before = provider.tokenRequests.length;
    isCounting = true;
    await work();
    await until('no function is at work', () => [...functions.values()].every(({ running }) => running === 0));
    isCounting = false;
    return { ...counts, tokenRequests: provider.tokenRequests.length - before };
  }

  async function run(endpoint: string): Promise<void> {
    const before = runs;
    const response = await fetch(endpoint, { method: 'POST', body: '{}' });
    if (response.status !== 200) throw new Error(`The endpoint answered ${response.status}`);
    await until('the run has ended', () => runs > before);
  }

  try {
    const api = await apiClient(`${started.origin}/v1`, started.key);
    await registerTestClient(started, { settings: provider.settings });
    const endpointOf = async (props: string, configured_props: object): Promise<string> => {
      const made = await api.post('/sources', { component_code: component(props), configured_props });
      return made.body.data.configured_props.http.endpoint_url;
    };
    const signIn = (expiresIn: number) => {
      provider.expiresIn = expiresIn;
      return signInAt(provider, api, { app: 'acme' });
    };
    const withAccount = (id: string) =>
      endpointOf(`app: { type: 'app', app: 'acme' }`, { app: { authProvisionId: id } });

    const costOfRuns = async (endpoint: string) => {
      // The first run builds, and decrypts the fields.
      await run(endpoint);
      return typical(await ofShortRuns(RUNS, () => during(() => run(endpoint))));
    };
    const plain = await costOfRuns(await endpointOf('', {}));
    const valid = await costOfRuns(await withAccount(await signIn(3_600)));

    const endpoint = await withAccount(await signIn(1));
    const renewing = await ofShortRuns(
      RENEWALS,
      async () => {
        const counted = await during(() => run(endpoint));
        if (counted.tokenRequests === 0) throw new Error('The run did not renew');
        return counted;
      },
      async () => {
        const at = Date.now();
        await until('half of the lifetime is over', () => Date.now() - at > 600);
      },
    );

    for (let n = 0; n < IDLE_ACCOUNTS; n += 1) await signIn(3_600);
    const oauthFunction = oauthFunctionOf(started);
    const check = await during(async () => {
      let after: LoginPosition | undefined;
      do ({ next: after } = await oauthFunction.renewIdle(after === undefined ? {} : { after }));
      while (after !== undefined);
    });
    return {
      run: less(valid, plain),
      renewal: less(typical(renewing), valid),
      check: per(check, IDLE_ACCOUNTS + 2),
    };
  } finally {
    await provider.stop();
    await started.stop();
  }
}

const names = ['writeUnits', 'readUnits', 'keyRequests', 'invocations', 'tokenRequests'] as const;

const made = (of: (name: (typeof names)[number]) => number): AccountCounts => ({
  writeUnits: of('writeUnits'),
  readUnits: of('readUnits'),
  keyRequests: of('keyRequests'),
  invocations: of('invocations'),
  tokenRequests: of('tokenRequests'),
});
const less = (counts: AccountCounts, other: AccountCounts) => made((name) => counts[name] - other[name]);
const per = (counts: AccountCounts, count: number) => made((name) => counts[name] / count);
const DEPEND_ON_TIME: readonly (typeof names)[number][] = ['writeUnits', 'readUnits'];
/**
 * Reads and writes are the fewest that two runs have: longer runs have more, and a run whose end was noticed too early
 * has fewer. Other counts are those of the run in the middle: a second instance that starts meanwhile knows no keys
 * yet.
 */
const typical = (all: readonly AccountCounts[]) =>
  made((name) => {
    const counts = all.map((each) => each[name]).toSorted((one, other) => one - other);
    const twice = counts.find((count, n) => counts[n + 1] === count);
    const middle = counts[Math.floor(counts.length / 2)] ?? NaN;
    return DEPEND_ON_TIME.includes(name) ? (twice ?? counts[0] ?? NaN) : middle;
  });

async function ofShortRuns(
  wanted: number,
  counted: () => Promise<AccountCounts>,
  before = () => Promise.resolve(),
): Promise<AccountCounts[]> {
  const all: AccountCounts[] = [];
  for (let n = 0; n < MAX_REPETITIONS && all.length < wanted; n += 1) {
    await before();
    const at = performance.now();
    const counts = await counted();
    if (performance.now() - at < SHORT_MS) all.push(counts);
  }
  if (all.length < wanted) throw new Error('Each run takes more than a second here');
  return all;
}
