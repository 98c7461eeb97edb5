import { EventSource } from 'eventsource';
import * as z from 'zod';
import type { HonestUser } from './user.ts';
import { atRate, missingOf, type PreparedWork, range, type Size, type Work } from './work.ts';

const COMPONENT = `export default {
  name: 'Live', version: '0.0.1', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); },
};`;
/** A tab of each colleague, all behind one address. */
const TABS = 12;
const PER_SECOND = 5;
const events = { test: 50, bench: 600 };

const Item = z.object({ event: z.object({ n: z.string() }) });

async function livePages(user: HonestUser, size: Size): Promise<PreparedWork> {
  const { id, path } = await user.source(COMPONENT);
  const url = await user.liveUrl(id, { max_streams: TABS });
  const tabs = range(TABS).map(() => {
    const seen = new Set<string>();
    const stream = new EventSource(url);
    stream.addEventListener('message', ({ data }) => seen.add(Item.parse(JSON.parse(String(data))).event.n));
    // A page that may have missed events reads the list again.
    stream.addEventListener('gap', () => {
      void user.eventsOf(id, 'default').then((list) => {
        for (const { event } of z.array(Item).parse(list)) seen.add(event.n);
      });
    });
    // From its first message on, a stream that ends goes on after the last one.
    return { seen, stream, started: new Promise((resolve) => stream.addEventListener('start', resolve)) };
  });
  await Promise.all(tabs.map(({ started }) => started));
  const expected = range(events[size]).map(String);
  return {
    run: () => atRate(range(events[size]), PER_SECOND, (n) => user.send(path, { n: String(n) })),
    missing: () => tabs.flatMap(({ seen }, tab) => missingOf(expected, seen).map((n) => `event ${n} in tab ${tab}`)),
    sourceIds: [id],
    stop: async () => {
      for (const { stream } of tabs) stream.close();
      await Promise.resolve();
    },
  };
}

export const livePageWorks = (size: Size): Work[] => [
  {
    name: `${TABS} tabs behind one address on a live page`,
    prepare: (user) => livePages(user, size),
  },
];
