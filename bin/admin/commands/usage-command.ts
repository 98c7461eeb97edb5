import * as z from 'zod';
import { UserId } from '../../../shared/domain/id.ts';
import { whileReadable } from '../../../shared/domain/unreadable.ts';
import type { User } from '../../../shared/domain/user/user.ts';
import type { DailyUsage } from '../../../shared/store/users/daily-usage.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import { priceOf } from './usage-price.ts';

/** Attempts are counted for 31 days. */
const MAX_DAYS = 30;
const DAYS = `must be a whole number from 1 to ${MAX_DAYS}`;

const HEADER = ['user', 'day', 'runs', 'compute_s', 'events', 'errors', 'delivered', 'failed', 'bytes', 'usd'];

export const showUsage = operatorCommand({
  usage: 'usage',
  role: 'read',
  about: 'Show runs, events, deliveries, bytes and the estimated price on AWS by user and UTC day.',
  options: [
    ['--user <id>', 'only this user, u_…'],
    ['--days <count>', `days up to today, at most ${MAX_DAYS} (default 7)`],
  ],
  input: z.strictObject({
    user: z.string().pipe(UserId).optional(),
    days: z
      .string()
      .regex(/^\d{1,2}$/, DAYS)
      .transform(Number)
      .refine((days) => days >= 1 && days <= MAX_DAYS, DAYS)
      .default(7),
  }),
  examples: [
    ['tributary admin usage', 'of all users, of the last 7 days'],
    ['tributary admin usage --user u_… --days 30 --stack TributaryProd --json', 'of one user, for programs'],
  ],
  run: async ({ users, dailyUsage, unreadable, now }, { user: id, days }) => {
    const one = id === undefined ? undefined : await users.find(id);
    if (id !== undefined && !one) throw refusedFailure(`There is no user ${id}.`);
    const rows: ReturnType<typeof shownDay>[] = [];
    for (const user of one ? [one] : await users.list()) {
      const used = await whileReadable(user.id, unreadable.add, () => dailyUsage(user.id, { days, now: now() }));
      for (const day of used ?? []) if (one || isUsed(day)) rows.push(shownDay(user, day));
    }
    const shown = rows.map((row) => [
      row.username,
      row.day,
      row.runs,
      Math.round(row.compute_ms / 1_000),
      row.events,
      row.errors,
      row.delivered,
      row.failed,
      row.payload_bytes,
      row.estimated_usd.toFixed(4),
    ]);
    return { json: rows, text: [HEADER, ...shown].map((cells) => cells.join('\t')).join('\n') };
  },
});

const isUsed = ({ runs, events, errors, delivered, failed }: DailyUsage): boolean =>
  runs + events + errors + delivered + failed > 0;

const shownDay = ({ id, username }: Pick<User, 'id' | 'username'>, used: DailyUsage) => ({
  user_id: id,
  username,
  day: used.day,
  runs: used.runs,
  compute_ms: used.computeMs,
  events: used.events,
  errors: used.errors,
  delivered: used.delivered,
  failed: used.failed,
  payload_bytes: used.payloadBytes,
  estimated_usd: Math.round(priceOf(used) * 1e6) / 1e6,
});
