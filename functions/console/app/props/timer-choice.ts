import { readCron } from '../../../../shared/lib/schedule/cron.ts';

/** The schedules that a form offers, and their texts. */
export const SCHEDULES = [
  ['quarter', 'Every 15 minutes'],
  ['hour', 'Every hour'],
  ['daily', 'Daily at a time'],
  ['interval', 'Interval in seconds'],
  ['cron', 'Cron expression'],
] as const;

/** The timer as a person chooses it: the text of each box. */
export interface TimerChoice {
  kind: (typeof SCHEDULES)[number][0];
  seconds: string;
  /** `09:30`. */
  time: string;
  cron: string;
  zone: string;
}

type TimerState =
  | { value: { interval_seconds: number } | { cron: string; timezone?: string } }
  | { text: string; problem: string };

const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const SHORTEST_INTERVAL = 15;
const LONGEST_INTERVAL = 315_360_000;

const FIRST: Omit<TimerChoice, 'zone'> = { kind: 'hour', seconds: '60', time: '09:00', cron: '0 9 * * 1-5' };

/** The choice of a stored or declared timer; hourly without one, as in the service. A cron without a zone is in UTC. */
export function choiceOfTimer(value: unknown): TimerChoice {
  const first = { ...FIRST, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const members = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const seconds = members.get('interval_seconds') ?? members.get('intervalSeconds');
  if (seconds === QUARTER_SECONDS) return { ...first, kind: 'quarter' };
  if (typeof seconds === 'number' && seconds !== HOUR_SECONDS)
    return { ...first, kind: 'interval', seconds: String(seconds) };
  const [cron, timezone] = [members.get('cron'), members.get('timezone')];
  if (typeof cron !== 'string') return first;
  const zone = typeof timezone === 'string' ? timezone : 'UTC';
  const [, minute = '', hour = ''] = /^(\d{1,2}) (\d{1,2}) \* \* \*$/.exec(cron) ?? [];
  if (hour === '') return { ...first, kind: 'cron', cron, zone };
  return { ...first, kind: 'daily', time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, cron, zone };
}

/** The value of a choice, or what is wrong with its text. */
export function timerOfChoice({ kind, seconds, time, cron, zone }: TimerChoice): TimerState {
  switch (kind) {
    case 'quarter':
      return { value: { interval_seconds: QUARTER_SECONDS } };
    case 'hour':
      return { value: { interval_seconds: HOUR_SECONDS } };
    case 'interval':
      return intervalOf(seconds.trim());
    case 'daily': {
      const [hour, minute] = time.split(':').map(Number);
      if (hour === undefined || minute === undefined) return { text: time, problem: 'Enter a time.' };
      return { value: { cron: `${minute} ${hour} * * *`, ...zoneOf(zone) } };
    }
    case 'cron': {
      const reading = readCron(cron);
      if (!reading.ok) return { text: cron, problem: `The cron expression ${reading.problem}.` };
      return { value: { cron: cron.trim(), ...zoneOf(zone) } };
    }
  }
}

function intervalOf(text: string): TimerState {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds < SHORTEST_INTERVAL || seconds > LONGEST_INTERVAL)
    return { text, problem: `Enter a whole number of seconds, from ${SHORTEST_INTERVAL}.` };
  return { value: { interval_seconds: seconds } };
}

const zoneOf = (zone: string): { timezone?: string } => (zone === '' || zone === 'UTC' ? {} : { timezone: zone });
