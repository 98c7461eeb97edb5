import * as z from 'zod';
import { RunFailure, RunLogs, type Summary } from '../session/response-schemas.ts';
import { innermostPosition } from '../../../shared/domain/run/own-frame.ts';
import { Count, type CommandTree } from '../command-tree.ts';
import { BEGINNING, eventsAfter, lastEvents } from '../events/event-reader.ts';
import { follow } from '../events/follow.ts';
import { plainLine, plainLines } from '../../plain-text.ts';
import { timeOfEvent } from '../output/event-lines.ts';
import { EMITTERS, idNamed } from '../input/resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { FOLLOW, Followed } from './shared-options.ts';
import type { TimeText } from '../output/text-table.ts';

const Input = Followed.extend({
  source: z.string(),
  limit: Count.refine((count) => count <= 100, 'must be at most 100').default(10),
});

/** `logs` and `errors`: the streams `$logs` and `$errors` as text. */
export function addLogCommands({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'logs <source>',
    about: 'Show what the last runs of a source logged.',
    options: [FOLLOW, ['-n, --limit <count>', 'runs to show, 10 otherwise']],
    input: Input,
    examples: [
      ['tributary logs orders', 'the last 10 runs that logged something'],
      ['tributary logs orders -f', 'and new ones as they come'],
    ],
    run: (session, input) => show(session, { ...input, stream: '$logs', textOf: runLogText }),
  });
  leaf(program, {
    usage: 'errors <source>',
    about: 'Show the last errors of a source, with file and line.',
    options: [FOLLOW, ['-n, --limit <count>', 'errors to show, 10 otherwise']],
    input: Input,
    examples: [
      ['tributary errors orders', 'the last 10 errors'],
      ['tributary errors orders -f --json', 'an object a line, as they come'],
    ],
    run: (session, input) => show(session, { ...input, stream: '$errors', textOf: runErrorText }),
  });
}

interface StreamText extends z.infer<typeof Input> {
  stream: '$logs' | '$errors';
  textOf: (event: Summary, time: TimeText) => string;
}

async function show(session: Session, { source, stream, limit, follow: isFollowed, textOf }: StreamText) {
  const { output } = session;
  const api = await session.api();
  const ref = { emitterId: await idNamed(api, EMITTERS, source), stream };
  const last = await lastEvents(api, ref, { limit, whole: true });
  if (!isFollowed && (output.json || output.quiet)) {
    output.list(last, []);
    return;
  }
  const print = (events: readonly Summary[]) => {
    for (const event of events) output.follow(event, textOf(event, output.time));
  };
  print(last);
  if (!isFollowed) return;
  let position = last.at(-1)?.id ?? BEGINNING;
  await follow(session, async (signal) => {
    const { events, missed } = await eventsAfter(api, ref, { position, whole: true, signal });
    if (missed > 0) output.note(`${missed} events were missed.`);
    print(events);
    position = events.at(-1)?.id ?? position;
  });
}

/** `console.log` → `log`. */
const levelOf = (k: string): string => k.replace(/^console\./, '');

/** A line for each line that the run logged, but for those to leave out. */
export function runLogText(
  { event }: Summary,
  time: TimeText,
  isLeftOut: (line: { k: string; msg: string }) => boolean = () => false,
): string {
  const read = RunLogs.safeParse(event);
  if (!read.success) return plainLine(JSON.stringify(event));
  return read.data.lines
    .filter((line) => !isLeftOut(line))
    .map(({ k, ts, msg }) => `${time(ts)}  ${levelOf(k).padEnd(5)}  ${plainLines(msg)}`)
    .join('\n');
}

/**
 * Time, position, code and message, and the stack, which shows the line of code and names the component's own files.
 */
export function runErrorText({ id, event }: Summary, timeText: TimeText): string {
  const read = RunFailure.safeParse(event);
  if (!read.success) return plainLine(JSON.stringify(event));
  const { code, message, stack } = read.data.error;
  const time = timeText(timeOfEvent({ id }));
  const position = innermostPosition(stack);
  const [first = '', ...frames] = stack.split('\n');
  // The first line of most stacks is the code and the message.
  const isTold = first === code || first.startsWith(`${code}:`);
  const hasMessage = message !== undefined && !stack.includes(message);
  const told = isTold ? first : `${code}${hasMessage ? `: ${message}` : ''}`;
  const lines = [
    `${time}  ${position === undefined ? '' : `${position}: `}${told}`,
    ...(isTold ? frames : [first, ...frames]).map((line) => `  ${line}`),
  ];
  return plainLines(lines.join('\n'));
}
