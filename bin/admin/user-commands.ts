import * as z from 'zod';
import { newId, UserId } from '../../shared/domain/id.ts';
import type { Requested } from '../../shared/domain/requested.ts';
import { Plan, type User, type UserPlan, type UserProfile } from '../../shared/domain/user/user.ts';
import { hashOfKey } from '../../shared/store/users.ts';
import { CommandError, command } from './command.ts';
import { removeEverythingOf } from './remove-user.ts';
import type { Operator } from './operator.ts';

const text = z.string('is needed').min(1, 'is empty').max(255, 'has at most 255 characters');
const user = { user: z.string('is needed').pipe(UserId) };
const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number, 0 or more')
  .transform(Number)
  .optional();

/** 256 random bits. */
const newKey = (random: Operator['random']) => Buffer.from(random(32)).toString('base64url');

const missing = (id: UserId) => new CommandError(`There is no user ${id}.`);

const profile = {
  username: text,
  email: text.regex(/^[^@\s]+@[^@\s]+$/, 'must look like name@host'),
} satisfies Record<keyof UserProfile, z.ZodType>;

export const createUser = command(
  'users create --username NAME --email ADDRESS [--plan free|paid]',
  z.strictObject({ ...profile, plan: Plan.default('free') }),
  async ({ users, now, random }, { plan, ...own }) => {
    const { username, email } = own;
    const apiKey = newKey(random);
    const id = UserId.parse(newId('user', now(), random));
    const paid = plan === 'paid' ? { paidSince: now() } : {};
    const user = { ...own, id, plan, keyHash: hashOfKey(apiKey), createdAt: now(), ...paid };
    if ((await users.create(user)) === 'name taken')
      throw new CommandError(`There is a user ${username} already.`);
    return {
      json: { id, username, email, api_key: apiKey },
      text: `Created the user ${username} (${id}).\nThe API key, shown only once: ${apiKey}`,
    };
  },
);

const shown = ({ id, username, email, plan, createdAt }: User) => ({
  id,
  username,
  email,
  plan,
  created_at: Math.floor(createdAt / 1000),
});

export const listUsers = command('users list', z.strictObject({}), async ({ users }) => {
  const all = (await users.list()).map(shown);
  return {
    json: all,
    text: all.map(({ id, username, email, plan }) => [id, username, email, plan].join('\t')).join('\n'),
  };
});

export const rotateKey = command(
  'users rotate-key --user u_…',
  z.strictObject(user),
  async ({ users, random }, { user: id }) => {
    const apiKey = newKey(random);
    if (!(await users.rotateKey(id, hashOfKey(apiKey)))) throw missing(id);
    const found = await users.find(id);
    if (!found) throw missing(id);
    const { username, email } = found;
    return {
      json: { id, username, email, api_key: apiKey },
      text: `The new API key of ${username} (${id}), shown only once: ${apiKey}\nThe old key stops working within 60 s.`,
    };
  },
);

export const setPlan = command(
  'users set-plan --user u_… --plan free|paid [--invocations N --compute-ms N]',
  z.strictObject({
    ...user,
    plan: z.string('is needed').pipe(Plan),
    invocations: count,
    'compute-ms': count,
  }),
  async ({ users, now }, { user: id, plan, invocations, 'compute-ms': computeMs }) => {
    const before = await users.find(id);
    if (!before) throw missing(id);
    const wanted: Requested<UserPlan> & Pick<UserPlan, 'plan'> = {
      plan,
      dailyInvocations: invocations,
      dailyComputeMs: computeMs,
      // A paid user keeps the start of the billing period.
      paidSince: plan === 'paid' ? (before.paidSince ?? now()) : undefined,
    };
    if (!(await users.setPlan(id, wanted))) throw missing(id);
    return { json: { id, plan }, text: `${before.username} (${id}) has the plan ${plan} now.` };
  },
);

export const deleteUser = command(
  'users delete --user u_…',
  z.strictObject(user),
  async (operator, { user: id }) => {
    const { users, random } = operator;
    const found = await users.find(id);
    // End the keys first, so that the user can create nothing more; caches accept the old key for up to 60 s.
    await users.rotateKey(id, hashOfKey(newKey(random)));
    await users.setLocalKey(id, undefined);
    const removed = await removeEverythingOf(operator, id);
    if (!found && removed === 0) throw missing(id);
    await users.remove(id);
    return {
      json: { id },
      text: `Deleted the user ${found ? `${found.username} (${id})` : id} and everything it owned.`,
    };
  },
);
