import type { Output } from '../output/printer.ts';
import { plainLine, plainLines } from '../../plain-text.ts';
import { localTime } from '../output/times.ts';

/** One line of `dev`; with `--json` the object, otherwise time, type and text. */
type DevEvent =
  | { type: 'ready'; source_id: string; endpoint_url: string | null }
  | { type: 'emit'; event_id: string; event: unknown; metadata: unknown }
  | { type: 'log'; run_id: string; level: string; message: string }
  | { type: 'error'; code: string; message: string; run_id?: string; stack?: string }
  | { type: 'run'; trigger_id: string }
  | { type: 'updated'; ms: number }
  | { type: 'broken'; code: string; message: string }
  | { type: 'ended'; source_id: string; is_kept: boolean };

export type DevPrinter = (event: DevEvent, text: string, atMs?: number) => void;

export function devPrinter(output: Output): DevPrinter {
  const { red, green, dim, yellow } = output.colors;
  const color = {
    ready: green,
    emit: green,
    log: dim,
    error: red,
    run: dim,
    updated: green,
    broken: yellow,
    ended: dim,
  };
  return (event, text, atMs = Date.now()) => {
    const { type } = event;
    output.follow({ ...event, at_ms: atMs }, lineOf());

    function lineOf(): string {
      if (event.type === 'ready')
        return green(event.endpoint_url === null ? `${text} ready` : `${text} ready: ${event.endpoint_url}`);
      if (event.type === 'ended') return dim(`${text} ${event.is_kept ? 'goes on' : 'is removed'}. Goodbye.`);
      const word = event.type === 'updated' ? `updated in ${event.ms} ms` : type;
      return `${dim(localTime(atMs))} ${color[type](word)} ${shownText()}`.trimEnd();
    }

    /** Only errors have several lines. Indented, they are no lines of `dev`. */
    function shownText(): string {
      return type === 'error' || type === 'broken' ? plainLines(text).replaceAll('\n', '\n  ') : plainLine(text);
    }
  };
}
