import * as z from 'zod';
import { UserId } from '../../../shared/domain/id.ts';
import { resumeUser, suspendUser } from '../../../shared/service/users/suspend-user.ts';
import { operatorCommand } from '../operator-command.ts';

const options = [['--user <id>', 'id of the user, u_…']] as const;
const input = z.strictObject({ user: z.string('is needed').pipe(UserId) });

export const suspendCommand = operatorCommand({
  usage: 'suspend',
  about: 'Stop runs, timers, deliveries and API of a user; what arrives waits within limits.',
  options,
  input,
  examples: [
    ['tributary admin users suspend --user u_…', 'until users resume'],
    ['tributary admin users suspend --user u_… --stack TributaryProd', 'of a stack on AWS'],
  ],
  run: async (operator, { user: id }) => {
    const { user, since } = await suspendUser(operator, id);
    return {
      json: { id, suspended_at: Math.floor(since / 1_000) },
      text: `${user.username} (${id}) is suspended. Its key stops within 60 s: repeat this command after a minute if the user may create sources or webhooks meanwhile.`,
    };
  },
});

export const resumeCommand = operatorCommand({
  usage: 'resume',
  about: 'Let the work of a suspended user go on, with what waits and is held meanwhile.',
  options,
  input,
  examples: [
    ['tributary admin users resume --user u_…', 'repeat it to complete an interrupted one'],
    ['tributary admin users resume --user u_… --json', 'counts what goes on, for programs'],
  ],
  run: async (operator, { user: id }) => {
    const { user, triggers, deliveries } = await resumeUser(operator, id);
    const text = `${user.username} (${id}) goes on, with ${triggers} waiting triggers and ${deliveries} held deliveries.`;
    const again = '\nSuspend and resume the user once more when everything of it can be read.';
    return { json: { id, triggers, deliveries }, text: operator.unreadable.all().length === 0 ? text : text + again };
  },
});
