import { startSink } from './sink.ts';
import type { HonestUser } from './user.ts';
import { atRate, missingOf, type PreparedWork, range, type Size, type Work } from './work.ts';

const EMITTING = `export default {
  name: 'Emitting', version: '0.0.1',
  run({ from, count }) { for (let n = 0; n < count; n += 1) this.$emit({ n: from + ':' + n }); },
};`;
const listening = (runMs: number) => `export default {
  name: 'Slow listener', version: '0.0.1',
  async run(event) { await new Promise((resolve) => setTimeout(resolve, ${runMs})); this.$emit(event); },
};`;

interface ListenerLoad {
  sources: number;
  eventsASecond: number;
  seconds: number;
  /** Duration of a run of the listener. */
  runMs: number;
}

const loads = {
  test: [
    { sources: 30, eventsASecond: 30, seconds: 1, runMs: 20 },
    { sources: 1, eventsASecond: 8, seconds: 6, runMs: 300 },
    { sources: 2, eventsASecond: 200, seconds: 1, runMs: 20 },
  ],
  bench: [
    { sources: 30, eventsASecond: 30, seconds: 60, runMs: 20 },
    { sources: 1, eventsASecond: 8, seconds: 60, runMs: 300 },
    { sources: 2, eventsASecond: 500, seconds: 5, runMs: 20 },
  ],
} satisfies Record<Size, ListenerLoad[]>;

/** Sources emit some events each second; one slow source listens to all of them. */
async function slowListener(
  user: HonestUser,
  { sources, eventsASecond, seconds, runMs }: ListenerLoad,
): Promise<PreparedWork> {
  const sink = await startSink();
  const listener = await user.source(listening(runMs));
  await user.webhook(sink.url, [listener.id]);
  const emitters: string[] = [];
  for (let index = 0; index < sources; index += 1) {
    const { id } = await user.source(EMITTING);
    await user.post('/subscriptions', { emitter_id: id, listener_id: listener.id });
    emitters.push(id);
  }
  const runs = range(sources * seconds);
  const expected = runs.flatMap((run) => range(eventsASecond).map((n) => `${run}:${n}`));
  return {
    run: () =>
      atRate(runs, sources, async (run) => {
        await user.post(`/sources/${emitters[run % sources]}/run`, { from: run, count: eventsASecond });
      }),
    missing: () => missingOf(expected, sink.arrived),
    sourceIds: [listener.id, ...emitters],
    stop: () => sink.stop(),
  };
}

export const listenerWorks = (size: Size): Work[] =>
  loads[size].map((load) => ({
    name: `${load.sources} sources × ${load.eventsASecond} events a second for ${load.seconds} s into one listener with runs of ${load.runMs} ms`,
    prepare: (user) => slowListener(user, load),
  }));
