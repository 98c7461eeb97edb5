import * as z from 'zod';
import type { DeadLetter, DeadLetters } from '../../../shared/aws/letters/dead-letters.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import type { DeadLetterCounts } from '../doctor/doctor-machine.ts';
import type { Operator } from '../operator.ts';
import { isTickLetter, shown } from './dead-letter-summary.ts';
import { LETTER_QUEUES, type LetterQueue } from '../queue-names.ts';

const queue = z
  .string('is needed')
  .pipe(z.enum(LETTER_QUEUES, `must be one of ${LETTER_QUEUES.join(', ')}`)) satisfies z.ZodType<LetterQueue>;
const message = z.string('is needed').min(1, 'is empty');
const reason = z.string().min(1, 'is empty').optional();
const REASON_OPTION = ['--reason <name>', 'only letters of this reason, as dead-letters list shows it'] as const;

/** Readers at the same time, each with ten messages. */
const READERS = 20;

/**
 * Passes messages to `work` until none is left, until `isEnough`, or until those come back that were read before. They
 * stay hidden from other readers for some minutes.
 */
async function readAll(
  deadLetters: Pick<DeadLetters, 'receive'>,
  work: Work,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const seen = new Set<string>();
  let isOver = false;
  const read = async () => {
    while (!isOver) {
      const letters = (await deadLetters.receive()).filter(({ id }) => !seen.has(id));
      if (letters.length === 0) return;
      for (const { id } of letters) seen.add(id);
      await work(letters);
      isOver ||= isEnough();
    }
  };
  try {
    await Promise.all(Array.from({ length: READERS }, read));
  } finally {
    isOver = true;
  }
}

export async function receiveAll(
  deadLetters: Pick<DeadLetters, 'receive'>,
  isEnough: (letters: readonly DeadLetter[]) => boolean = () => false,
): Promise<DeadLetter[]> {
  const all: DeadLetter[] = [];
  const keep: Work = (letters) => Promise.resolve(void all.push(...letters));
  await readAll(deadLetters, keep, () => isEnough(all));
  return all;
}

/** Finds one message and shows the others to other readers again. */
async function receiveOne(deadLetters: DeadLetters, queue: LetterQueue, id: string): Promise<DeadLetter> {
  const letters = await receiveAll(deadLetters, (all) => all.some((letter) => letter.id === id));
  const found = letters.find((letter) => letter.id === id);
  await deadLetters.release(letters.filter((letter) => letter !== found));
  if (found) return found;
  const more =
    queue === 'runs'
      ? ' Only the first 10 of each source can be read: redrive or drop those to read the next ones.'
      : '';
  throw refusedFailure(`There is no message ${id} among the dead letters of ${queue}.${more}`);
}

type Work = (letters: readonly DeadLetter[]) => Promise<void>;

/** Returns how many messages of a reason there were. The others are shown to other readers again. */
async function workOnAll(
  deadLetters: DeadLetters,
  work: Work,
  { queue: name, reason: only }: { queue: LetterQueue; reason?: string | undefined },
): Promise<number> {
  let count = 0;
  const others: DeadLetter[] = [];
  await readAll(deadLetters, async (letters) => {
    const chosen = letters.filter((letter) => only === undefined || shown(name, letter).reason === only);
    others.push(...letters.filter((letter) => !chosen.includes(letter)));
    await work(chosen);
    count += chosen.length;
  });
  await deadLetters.release(others);
  return count;
}

async function workOnOne(
  deadLetters: DeadLetters,
  work: Work,
  { queue, id }: { queue: LetterQueue; id: string },
): Promise<number> {
  await work([await receiveOne(deadLetters, queue, id)]);
  return 1;
}

const counted = (count: number) => (count === 1 ? '1 message' : `${count} messages`);

/** All dead letters of the queues by the ids in them. Those of `runs` are the first ten of each source. */
async function summaries({ deadLetters }: Pick<Operator, 'deadLetters'>, names: readonly LetterQueue[]) {
  const found = await Promise.all(
    names.map(async (name) => {
      const letters = await receiveAll(deadLetters[name]);
      await deadLetters[name].release(letters);
      return letters.map((letter) => shown(name, letter));
    }),
  );
  return found.flat();
}

function countedByReason(all: Awaited<ReturnType<typeof summaries>>) {
  const counts = new Map<string, number>();
  for (const { queue: name, reason: why, kind } of all) {
    const key = [name, why, kind].join('\t');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = [...counts].sort(([, a], [, b]) => b - a).map(([key, count]) => [...key.split('\t'), count]);
  const json = rows.map(([name, why, kind, count]) => ({ queue: name, reason: why, kind, count }));
  return { json, text: rows.map((row) => row.join('\t')).join('\n') || 'There are no dead letters.' };
}

export async function deadLetterCounts(operator: Pick<Operator, 'deadLetters'>): Promise<DeadLetterCounts> {
  const all = await summaries(operator, LETTER_QUEUES);
  const counts = LETTER_QUEUES.map((name) => [name, all.filter(({ queue }) => queue === name).length] as const);
  return {
    queues: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    unreadable: all.filter(({ kind }) => kind === 'unreadable').length,
  };
}

export const listDeadLetters = operatorCommand({
  usage: 'list',
  role: 'read',
  about: 'List dead letters by the ids in them, without events.',
  options: [
    ['--queue <name>', 'of one queue: runs, deliveries, retries, timers or schedules'],
    ['--by-reason', 'only their numbers: by queue, reason and kind'],
  ],
  input: z.strictObject({ queue: queue.optional(), byReason: z.boolean().optional() }),
  examples: [
    ['tributary admin dead-letters list --by-reason', 'the numbers, of every queue'],
    ['tributary admin dead-letters list --queue runs', 'of runs that failed 20 times'],
  ],
  run: async (operator, { queue: only, byReason }) => {
    const all = await summaries(operator, only === undefined ? LETTER_QUEUES : [only]);
    if (byReason === true) return countedByReason(all);
    const lines = all.map(({ queue: name, message: id, sent_at_ms: sentAt, ...ids }) =>
      [name, id, new Date(sentAt).toISOString(), ...Object.values(ids)].join('\t'),
    );
    return { json: all, text: lines.join('\n') || 'There are no dead letters.' };
  },
});

export const showDeadLetter = operatorCommand({
  usage: 'show',
  role: 'read',
  about: 'Print one dead letter whole, with the event.',
  options: [
    ['--queue <name>', 'runs, deliveries, retries, timers or schedules'],
    ['--message <id>', 'id of the message'],
  ],
  input: z.strictObject({ queue, message }),
  examples: [
    ['tributary admin dead-letters show --queue runs --message ID', 'an id of dead-letters list'],
    ['tributary admin dead-letters show --queue runs --message ID --json', 'as JSON'],
  ],
  run: async ({ deadLetters }, { queue: name, message: id }) => {
    const letter = await receiveOne(deadLetters[name], name, id);
    await deadLetters[name].release([letter]);
    const json = { ...shown(name, letter), body: letter.body };
    return { json, text: JSON.stringify(json, null, 2) };
  },
});

export const redriveDeadLetters = operatorCommand({
  usage: 'redrive',
  about: 'Send dead letters to their queue again; of timers all but ticks, which are deleted.',
  options: [
    ['--queue <name>', 'runs, deliveries, retries, timers or schedules'],
    ['--message <id>', 'only this message'],
    REASON_OPTION,
  ],
  input: z.strictObject({ queue, message: message.optional(), reason }),
  examples: [
    ['tributary admin dead-letters redrive --queue deliveries', 'all of them'],
    ['tributary admin dead-letters redrive --queue runs --message ID', 'one'],
  ],
  run: async ({ deadLetters, moveLetters }, { queue: name, message: id, reason: only }) => {
    const at = deadLetters[name];
    const isWhole = id === undefined && only === undefined;
    let dropped = 0;
    const redrive: Work = async (letters) => {
      const ticks = name === 'timers' ? letters.filter(({ body }) => isTickLetter(body)) : [];
      await at.redrive(letters.filter((letter) => !ticks.includes(letter)));
      await at.drop(ticks);
      dropped += ticks.length;
    };
    // SQS knows neither ticks nor the queues that schedules send to.
    const all = await (isWhole && name !== 'timers' && name !== 'schedules'
      ? moveLetters(name)
      : id === undefined
        ? workOnAll(at, redrive, { queue: name, reason: only })
        : workOnOne(at, redrive, { queue: name, id }));
    const note = dropped === 0 ? '' : ` Deleted ${counted(dropped)} of ticks: every minute makes new ones.`;
    return {
      json: { queue: name, redriven: all - dropped, ...(name === 'timers' ? { dropped } : {}) },
      text: `Sent ${counted(all - dropped)} to ${name} again.${note}`,
    };
  },
});

export const dropDeadLetters = operatorCommand({
  usage: 'drop',
  about: 'Delete dead letters for good.',
  options: [
    ['--queue <name>', 'runs, deliveries, retries, timers or schedules'],
    ['--message <id>', 'id of the message, or all'],
    REASON_OPTION,
  ],
  input: z.strictObject({ queue, message, reason }),
  examples: [
    ['tributary admin dead-letters drop --queue runs --message ID', 'one'],
    ['tributary admin dead-letters drop --queue timers --message all', 'all of a queue'],
  ],
  run: async ({ deadLetters }, { queue: name, message: id, reason: only }) => {
    const at = deadLetters[name];
    const dropped = await (id === 'all'
      ? workOnAll(at, at.drop, { queue: name, reason: only })
      : workOnOne(at, at.drop, { queue: name, id }));
    return {
      json: { queue: name, dropped },
      text: `Deleted ${counted(dropped)} from the dead letters of ${name}.`,
    };
  },
});
