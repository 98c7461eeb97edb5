import type { Api } from '../session/api.ts';
import { RunFailure, RunLogs, type Summary } from '../session/response-schemas.ts';
import { codeIn, innermostPosition } from '../../../shared/domain/run/own-frame.ts';
import { BEGINNING, eventsAfter, lastEvents } from '../events/event-reader.ts';
import { eventText } from '../output/event-lines.ts';
import type { DevPrinter } from './dev-printer.ts';

const STREAMS = ['$logs', 'default', '$errors'] as const;
type Stream = (typeof STREAMS)[number];

/** Prints what a source emits, logs and fails with, each event once. */
export function createStreamPoll(api: Api, print: DevPrinter) {
  const positions = new Map<Stream, string>();

  async function read(emitterId: string): Promise<void> {
    const found = await Promise.all(
      STREAMS.map(async (stream) => {
        const position = positions.get(stream) ?? BEGINNING;
        return { stream, ...(await eventsAfter(api, { emitterId, stream }, { position, whole: true })) };
      }),
    );
    for (const { stream, events } of found) {
      for (const event of events) show(stream, event, print);
      positions.set(stream, events.at(-1)?.id ?? positions.get(stream) ?? BEGINNING);
    }
  }

  return {
    read,
    /** Leaves out earlier events. */
    async skipTo(emitterId: string): Promise<void> {
      for (const stream of STREAMS) {
        const [newest] = await lastEvents(api, { emitterId, stream }, { limit: 1, whole: false });
        if (newest) positions.set(stream, newest.id);
      }
    },
  };
}

function show(stream: Stream, { id, event, metadata, indexed_at_ms: atMs }: Summary, print: DevPrinter): void {
  if (stream === '$logs') {
    const logs = RunLogs.safeParse(event).data;
    for (const { k, ts, msg } of logs?.lines ?? []) {
      // A thrown error is on `$errors` too.
      if (k === 'error') continue;
      print({ type: 'log', run_id: logs?.run_id ?? '', level: k.replace(/^console\./, ''), message: msg }, msg, ts);
    }
    return;
  }
  if (stream === 'default') {
    print({ type: 'emit', event_id: id, event, metadata }, eventText({ event, metadata }), atMs);
    return;
  }
  const read = RunFailure.safeParse(event).data;
  const { code = 'error', message, stack = '' } = read?.error ?? {};
  const text = message ?? stack.split('\n')[0] ?? '';
  const position = innermostPosition(stack);
  const shown = codeIn(stack);
  print(
    { type: 'error', code, message: text, stack, run_id: read?.original_context.id ?? '' },
    [
      position === undefined ? `${code}: ${text}` : `${position}: ${code}: ${text}`,
      ...(shown === undefined ? [] : [shown]),
    ].join('\n'),
    atMs,
  );
}
