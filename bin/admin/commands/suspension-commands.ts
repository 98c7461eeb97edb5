import * as z from 'zod';
import { UserId } from '../../../shared/domain/id.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import { resumeWork, suspendWork } from './suspension.ts';

const options = [['--user <id>', 'id of the user, u_…']] as const;
const input = z.strictObject({ user: z.string('is needed').pipe(UserId) });

const missing = (id: UserId) => refusedFailure(`There is no user ${id}.`);

export const suspendUser = operatorCommand({
  usage: 'suspend',
  about: 'Stop runs, timers, deliveries and API of a user; what arrives waits within limits.',
  options,
  input,
  examples: [
    ['tributary admin users suspend --user u_…', 'until users resume'],
    ['tributary admin users suspend --user u_… --stack TributaryProd', 'of a stack on AWS'],
  ],
  run: async (operator, { user: id }) => {
    const { users, now } = operator;
    const user = await users.find(id);
    if (!user) throw missing(id);
    const since = user.suspendedAt ?? now();
    if (!(await users.setSuspension(id, since))) throw missing(id);
    await suspendWork(operator, id, since);
    return {
      json: { id, suspended_at: Math.floor(since / 1_000) },
      text: `${user.username} (${id}) is suspended. Its key stops within 60 s: repeat this command after a minute if the user may create sources or webhooks meanwhile.`,
    };
  },
});

export const resumeUser = operatorCommand({
  usage: 'resume',
  about: 'Let the work of a suspended user go on, with what waits and is held meanwhile.',
  options,
  input,
  examples: [
    ['tributary admin users resume --user u_…', 'repeat it to complete an interrupted one'],
    ['tributary admin users resume --user u_… --json', 'counts what goes on, for programs'],
  ],
  run: async (operator, { user: id }) => {
    const { users } = operator;
    const user = await users.find(id);
    if (!user) throw missing(id);
    if (user.suspendedAt === undefined)
      throw refusedFailure(`The user ${user.username} (${id}) is not suspended.`);
    // The mark of the user goes last: an interrupted command finds since when the user was suspended.
    const { triggers, deliveries } = await resumeWork(operator, id, user.suspendedAt);
    if (!(await users.setSuspension(id, undefined))) throw missing(id);
    return {
      json: { id, triggers, deliveries },
      text: [
        `${user.username} (${id}) goes on, with ${triggers} waiting triggers and ${deliveries} held deliveries.`,
        ...(operator.unreadable.all().length === 0
          ? []
          : ['Suspend and resume the user once more when everything of it can be read.']),
      ].join('\n'),
    };
  },
});
