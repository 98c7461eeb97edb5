/** A field of a cron expression, with its range and its month or day names. */
interface Field {
  name: string;
  min: number;
  max: number;
  words: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, words: [] },
  { name: 'hour', min: 0, max: 23, words: [] },
  { name: 'day of the month', min: 1, max: 31, words: [] },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  { name: 'day of the week', min: 0, max: 7, words: DAYS },
];

/** https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html (ScheduleExpression) */
const LONGEST_EXPRESSION = 256;

/** The values of the fields in ascending order, days of the week from 0 (Sunday). */
export interface CronFields {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  weekdays: readonly number[];
}

export type CronReading =
  | {
      ok: true;
      expression: string;
      fields: CronFields;
      /** The minutes of an expression that holds in every hour of every day; undefined for any other expression. */
      everyHour?: readonly number[];
    }
  | { ok: false; problem: string };

/** Days of the months, with those of February in a leap year. */
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Translates a five-field cron expression to EventBridge's format: six fields, days of the week from 1 (Sunday), `?` in
 * one of the two day fields. Unix cron fires when either day field matches, which EventBridge cannot express, so
 * setting both is refused.
 */
export function readCron(text: string): CronReading {
  const trimmed = text.trim();
  if (trimmed.startsWith('@')) {
    return problem(`has the short form ${trimmed}: write five fields, such as 0 * * * * for every hour`);
  }
  const fields = trimmed.split(/\s+/);
  if (fields.length !== FIELDS.length) {
    return problem(
      `must have five fields (minute, hour, day of the month, month, day of the week), not ${fields.length}`,
    );
  }
  const sets: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const read = readField(fields[index] ?? '', field);
    if ('problem' in read) return problem(read.problem);
    sets.push(read.numbers);
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = sets;
  const daysSet = days.length < 31;
  const sundayFirst = [...new Set(weekdays.map((day) => day % 7))].sort((a, b) => a - b);
  const weekdaysSet = sundayFirst.length < 7;
  if (daysSet && weekdaysSet) {
    return problem('sets both the day of the month and the day of the week: leave one of them as *');
  }
  if (!weekdaysSet && !months.some((month) => days.some((day) => day <= (LONGEST_MONTHS[month - 1] ?? 0)))) {
    return problem(`never occurs: ${fields[3]} has no day ${fields[2]}; choose a day of the month that exists`);
  }
  const expression = [
    spell(minutes, 0, 59),
    spell(hours, 0, 23),
    weekdaysSet ? '?' : spell(days, 1, 31),
    spell(months, 1, 12),
    weekdaysSet
      ? spell(
          sundayFirst.map((day) => day + 1),
          1,
          7,
        )
      : '?',
    '*',
  ].join(' ');
  const wrapped = `cron(${expression})`;
  if (wrapped.length > LONGEST_EXPRESSION) return problem('lists too many values; use ranges or steps');
  const isEveryHour = hours.length === 24 && !daysSet && months.length === 12 && !weekdaysSet;
  return {
    ok: true,
    expression: wrapped,
    fields: { minutes, hours, days, months, weekdays: sundayFirst },
    ...(isEveryHour ? { everyHour: minutes } : {}),
  };
}

const problem = (text: string): CronReading => ({ ok: false, problem: text });

type FieldReading = { numbers: number[] } | { problem: string };

function readField(text: string, field: Field): FieldReading {
  const found = new Set<number>();
  for (const item of text.split(',')) {
    const read = readItem(item, field);
    if ('problem' in read) return read;
    for (const number of read.numbers) found.add(number);
  }
  return { numbers: [...found].sort((a, b) => a - b) };
}

/** Forms of other cron dialects. */
const OTHER_DIALECT = /^(?:L|LW|\d{1,2}W|\w{1,3}L|\w{1,3}#\d|\?)$/i;

function readItem(item: string, field: Field): FieldReading {
  const [, range = '', stepText] = /^([^/]+)(?:\/(\d{1,9}))?$/.exec(item) ?? [];
  const step = stepText === undefined ? 1 : Number(stepText);
  const bounds = readRange(range, field, stepText !== undefined);
  if (bounds === undefined || step < 1) {
    const hint = OTHER_DIALECT.test(item) ? '; L, W, # and ? are not supported' : '';
    return {
      problem: `has an invalid ${field.name} field: ${item}; it takes ${field.min} to ${field.max}${hint}`,
    };
  }
  if (step > field.max) {
    return {
      problem: `has a step of ${step} in the ${field.name} field, which ends at ${field.max}: use a smaller step, or interval_seconds instead of cron`,
    };
  }
  const numbers: number[] = [];
  for (let number = bounds.from; number <= bounds.to; number += step) numbers.push(number);
  return { numbers };
}

function readRange(range: string, field: Field, stepped: boolean): { from: number; to: number } | undefined {
  // Days 0 and 7 are both Sunday, so `*` ends at 6.
  const max = field.words === DAYS ? 6 : field.max;
  if (range === '*') return { from: field.min, to: max };
  const [fromText = '', toText, ...rest] = range.split('-');
  const from = readNumber(fromText, field);
  const to = toText === undefined ? (stepped ? max : from) : readNumber(toText, field);
  if (from === undefined || to === undefined || rest.length > 0 || to < from) return undefined;
  return { from, to };
}

function readNumber(text: string, { min, max, words }: Field): number | undefined {
  const word = words.indexOf(text.toUpperCase());
  if (word >= 0) return word + min;
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
}

/** The shortest of `*`, `from/step` and a list of numbers and ranges. */
function spell(numbers: readonly number[], min: number, max: number): string {
  if (numbers.length === max - min + 1) return '*';
  const [first = min, second] = numbers;
  const step = second === undefined ? 0 : second - first;
  const isProgression = numbers.every((number, index) => number === first + index * step);
  if (numbers.length > 2 && step > 1 && isProgression && first + numbers.length * step > max) return `${first}/${step}`;
  return runs(numbers)
    .map(({ from, to }) => (to - from > 1 ? `${from}-${to}` : to > from ? `${from},${to}` : String(from)))
    .join(',');
}

function runs(numbers: readonly number[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && number === last.to + 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found;
}

/** The minutes of every hour, `shift` minutes later. */
export const shiftedMinutes = (minutes: readonly number[], shift: number): number[] =>
  minutes.map((minute) => (((minute + shift) % 60) + 60) % 60).sort((a, b) => a - b);

/** The minutes of every hour as an expression in EventBridge's format. */
export const everyHourExpression = (minutes: readonly number[]): string => `cron(${spell(minutes, 0, 59)} * * * ? *)`;
