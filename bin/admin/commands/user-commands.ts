import * as z from 'zod';
import { newId, UserId } from '../../../shared/domain/id.ts';
import type { Requested } from '../../../shared/domain/requested.ts';
import { Plan, type User, type UserPlan, type UserProfile } from '../../../shared/domain/user/user.ts';
import { newApiKey } from '../../../shared/domain/user/api-key.ts';
import { hashOfKey } from '../../../shared/domain/user/key-hash.ts';
import { removeUser } from '../../../shared/service/users/remove-user.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import { unrevokedNote } from './unrevoked-note.ts';
import { notFound } from '../../../shared/domain/errors.ts';

const text = z.string('is needed').min(1, 'is empty').max(255, 'has at most 255 characters');
const user = { user: z.string('is needed').pipe(UserId) };
const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number, 0 or more')
  .transform(Number)
  .optional();

const profile = {
  username: text,
  email: text.regex(/^[^@\s]+@[^@\s]+$/, 'must look like name@host'),
} satisfies Record<keyof UserProfile, z.ZodType>;

export const createUser = operatorCommand({
  usage: 'create',
  about: 'Create a user and print its API key, once.',
  options: [
    ['--username <name>', 'name, which no other user has'],
    ['--email <address>', 'e-mail address'],
    ['--plan <plan>', 'free (default) or paid'],
  ],
  input: z.strictObject({ ...profile, plan: Plan.default('free') }),
  examples: [
    ['tributary admin users create --username ann --email ann@example.org', 'prints the key of the new user'],
    [
      'tributary admin users create --username bob --email bob@example.org --json > bob.json',
      'keeps id and key in a file',
    ],
  ],
  run: async ({ users, now, random }, { plan, username, email }) => {
    const apiKey = newApiKey(random);
    const id = UserId.parse(newId('user', now(), random));
    const paid = plan === 'paid' ? { paidSince: now() } : {};
    const user = { username, email, id, plan, keyHash: hashOfKey(apiKey), createdAt: now(), ...paid };
    if ((await users.create(user)) === 'name taken') throw refusedFailure(`There is a user ${username} already.`);
    return {
      json: { id, username, email, api_key: apiKey },
      text: `Created the user ${username} (${id}).\nThe API key, shown only once: ${apiKey}`,
    };
  },
});

const shown = ({ id, username, email, plan, createdAt, suspendedAt }: User) => ({
  id,
  username,
  email,
  plan,
  created_at: Math.floor(createdAt / 1000),
  ...(suspendedAt === undefined ? {} : { suspended_at: Math.floor(suspendedAt / 1000) }),
});

export const listUsers = operatorCommand({
  usage: 'list',
  role: 'read',
  about: 'List id, name, e-mail address and plan of every user.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin users list', 'of the service of DATA_DIR'],
    ['tributary admin users list --stack TributaryProd --json', 'of a stack on AWS, as JSON'],
  ],
  run: async ({ users }) => {
    const all = (await users.list()).map(shown);
    return {
      json: all,
      text: all
        .map(({ id, username, email, plan, ...more }) =>
          [id, username, email, plan, ...('suspended_at' in more ? ['suspended'] : [])].join('\t'),
        )
        .join('\n'),
    };
  },
});

export const rotateKey = operatorCommand({
  usage: 'rotate-key',
  about: 'Replace the first key of a user: the new one works at once, the old one stops within 60 s. Other keys stay.',
  options: [['--user <id>', 'id of the user, u_…']],
  input: z.strictObject(user),
  examples: [
    ['tributary admin users rotate-key --user u_…', 'prints the new key, once'],
    ['tributary admin users rotate-key --user u_… --json > key.json', 'keeps it in a file'],
  ],
  run: async ({ users, random, now }, { user: id }) => {
    const apiKey = newApiKey(random);
    const found = (await users.rotateKey(id, hashOfKey(apiKey), now())) ? await users.find(id) : undefined;
    if (!found) throw notFound(`user ${id}`);
    const { username, email } = found;
    return {
      json: { id, username, email, api_key: apiKey },
      text: `The new API key of ${username} (${id}), shown only once: ${apiKey}\nThe old key stops working within 60 s.`,
    };
  },
});

export const setPlan = operatorCommand({
  usage: 'set-plan',
  about: "Set the plan and the user's own daily quotas; a quota that is left out is the stage's again.",
  options: [
    ['--user <id>', 'id of the user, u_…'],
    ['--plan <plan>', 'free or paid'],
    ['--invocations <count>', 'runs a day'],
    ['--compute-ms <count>', 'milliseconds of compute time a day'],
  ],
  input: z.strictObject({
    ...user,
    plan: z.string('is needed').pipe(Plan),
    invocations: count,
    computeMs: count,
  }),
  examples: [
    ['tributary admin users set-plan --user u_… --plan paid', 'lifts the quotas'],
    ['tributary admin users set-plan --user u_… --plan free --invocations 1000', 'with a quota of its own'],
  ],
  run: async ({ users, now }, { user: id, plan, invocations, computeMs }) => {
    const before = await users.find(id);
    const requested = {
      plan,
      dailyInvocations: invocations,
      dailyComputeMs: computeMs,
      // A paid user keeps the start of the billing period.
      paidSince: plan === 'paid' ? (before?.paidSince ?? now()) : undefined,
    } satisfies Requested<UserPlan>;
    if (!before || !(await users.setPlan(id, requested))) throw notFound(`user ${id}`);
    return { json: { id, plan }, text: `${before.username} (${id}) has the plan ${plan} now.` };
  },
});

export const deleteUser = operatorCommand({
  usage: 'delete',
  about: 'Delete a user with its sources, webhooks, subscriptions, workflows and accounts, and revoke their tokens.',
  options: [['--user <id>', 'id of the user, u_…']],
  input: z.strictObject(user),
  examples: [
    ['tributary admin users delete --user u_…', 'repeat it after an interruption, which leaves the user suspended'],
    ['tributary admin users delete --user u_… --stack TributaryProd', 'of a stack on AWS'],
  ],
  run: async (operator, { user: id }) => {
    const { user: found, isComplete, unrevoked, removed } = await removeUser(operator, id);
    const { emitters, webhooks, accounts } = removed;
    const text = isComplete
      ? `Deleted the user ${found ? `${found.username} (${id})` : id} and everything it owned.`
      : `Deleted what ${id} owned and can be read. The user stays, suspended and without a working key: repeat the command.`;
    const counts = ` Sources and workflows: ${emitters}; webhooks: ${webhooks}; accounts: ${accounts}.`;
    return { json: { id, unrevoked, removed }, text: text + counts + unrevokedNote(unrevoked) };
  },
});
