import { startSink } from './sink.ts';
import type { HonestUser } from './user.ts';
import { atRate, missingOf, type PreparedWork, range, type Size, type Work } from './work.ts';

const EMITTING = `export default {
  name: 'Emitting', version: '0.0.1',
  run({ from, count }) { for (let n = 0; n < count; n += 1) this.$emit({ n: from + ':' + n }); },
};`;
const LISTENING = `export default {
  name: 'Slow listener', version: '0.0.1',
  async run(event) { await new Promise((resolve) => setTimeout(resolve, 20)); this.$emit(event); },
};`;

const SOURCES = 30;
const EVENTS_A_SECOND = 30;
const seconds = { test: 1, bench: 60 };

/** Thirty sources emit thirty events a second each; one slow source listens to all of them. */
async function manySourcesOneListener(user: HonestUser, size: Size): Promise<PreparedWork> {
  const sink = await startSink();
  const listener = await user.source(LISTENING);
  await user.webhook(sink.url, [listener.id]);
  const emitters: string[] = [];
  for (let index = 0; index < SOURCES; index += 1) {
    const { id } = await user.source(EMITTING);
    await user.post('/subscriptions', { emitter_id: id, listener_id: listener.id });
    emitters.push(id);
  }
  const runs = range(SOURCES * seconds[size]);
  const expected = runs.flatMap((run) => range(EVENTS_A_SECOND).map((n) => `${run}:${n}`));
  return {
    run: () =>
      atRate(runs, SOURCES, async (run) => {
        await user.post(`/sources/${emitters[run % SOURCES]}/run`, { from: run, count: EVENTS_A_SECOND });
      }),
    missing: () => missingOf(expected, sink.arrived),
    sourceIds: [listener.id],
    stop: () => sink.stop(),
  };
}

export const listenerWorks = (size: Size): Work[] => [
  {
    name: `${SOURCES} sources × ${EVENTS_A_SECOND} events a second for ${seconds[size]} s into one slow listener`,
    prepare: (user) => manySourcesOneListener(user, size),
  },
];
