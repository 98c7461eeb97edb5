import { startSink } from './sink.ts';
import type { HonestUser } from './user.ts';
import { atRate, missingOf, type PreparedWork, range, type Size, type Work } from './work.ts';

const component = (code = '') => `export default {
  name: 'Ordinary', version: '0.0.1', props: { http: '$.interface.http' },
  async run({ body }) { ${code} this.$emit(body); },
};`;
const waits = (ms: number) => `await new Promise((resolve) => setTimeout(resolve, ${ms}));`;

interface RequestsOptions {
  /** Code of a run before it emits. */
  code?: string;
  count: number;
  perSecond: number;
  /** Further requests afterwards, one a second, while the first ones wait. */
  later?: number;
  /** Characters of each event. */
  characters?: number;
  accepts?: (n: string) => boolean;
}

/** Requests to one endpoint, whose events go to a webhook. */
async function requests(user: HonestUser, options: RequestsOptions): Promise<PreparedWork> {
  const { code, count, perSecond, later = 0, characters = 100, accepts = () => true } = options;
  const sink = await startSink(accepts);
  const source = await user.source(component(code));
  await user.webhook(sink.url, [source.id]);
  const text = 'x'.repeat(characters);
  const numbers = range(count + later);
  const expected = numbers.map(String).filter(accepts);
  const send = (n: number) => user.send(source.path, { n: String(n), text });
  return {
    async run() {
      await atRate(numbers.slice(0, count), perSecond, send);
      await atRate(numbers.slice(count), 1, send);
    },
    missing: () => missingOf(expected, sink.arrived),
    sourceIds: [source.id],
    stop: () => sink.stop(),
  };
}

/** Each fifth event. */
const isRefused = (n: string) => Number(n) % 5 === 4;

const sizes = {
  test: { burst: 100, quick: 1_000, saleSeconds: 10, large: 30, refusing: 100 },
  bench: { burst: 10_000, quick: 10_000, saleSeconds: 60, large: 1_000, refusing: 1_000 },
};

export function requestWorks(size: Size): Work[] {
  const { burst, quick, saleSeconds, large, refusing } = sizes[size];
  return [
    {
      name: `a burst of ${burst} requests to a source with runs of 0.1 s, then one a second`,
      prepare: (user) => requests(user, { code: waits(100), count: burst, perSecond: 1_000, later: 10 }),
    },
    {
      name: `a burst of ${quick} requests to a source with quick runs`,
      prepare: (user) => requests(user, { count: quick, perSecond: 1_000 }),
    },
    {
      name: `a sale: 50 orders a second for ${saleSeconds} s`,
      prepare: (user) => requests(user, { count: 50 * saleSeconds, perSecond: 50 }),
    },
    {
      name: `${large} payloads of 300 KB, two a second`,
      prepare: (user) => requests(user, { count: large, perSecond: 2, characters: 300_000 }),
    },
    {
      name: `a receiver that refuses each fifth of ${refusing} events`,
      prepare: (user) => requests(user, { count: refusing, perSecond: 20, accepts: (n) => !isRefused(n) }),
    },
  ];
}
