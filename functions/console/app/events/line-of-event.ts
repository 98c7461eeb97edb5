import { cut } from '../../../../shared/lib/cut.ts';
import type { ShownEvent } from '../api/wire.ts';
import { firstScalars } from './first-scalars.ts';
import { type RunError, tracesOf } from './trace-of-run.ts';

/** The first characters of an event's data. */
const LINE_CHARACTERS = 160;

const OF_RUNS: readonly (string | undefined)[] = ['$errors', '$logs'];

/** The error or the first log line of a run, else the summary of the event, else the first scalars of its data. */
export function lineOfEvent(event: ShownEvent, stream: string | undefined): string {
  const [trace] = OF_RUNS.includes(stream) ? tracesOf([event]) : [];
  const [error, line] = [trace?.errors[0], trace?.lines[0]];
  const text = error ? lineOfError(error) : line?.text;
  return cut(text || event.metadata.summary || firstScalars(event.json) || event.json, LINE_CHARACTERS);
}

const lineOfError = ({ code, message, stack }: RunError): string =>
  message === '' ? (stack.split('\n')[0] ?? '') : [code, message].filter((part) => part !== '').join(': ');
