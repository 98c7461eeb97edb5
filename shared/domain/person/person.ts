import * as z from 'zod';
import type { UserId } from '../id.ts';
import { Scope } from '../user/api-key.ts';
import type { Access, SignInSettings } from './sign-in-settings.ts';

/** Somebody whom the identity provider knows. */
export const Person = z.object({
  /** The id at the provider. */
  subject: z.string(),
  email: z.string(),
  name: z.string().optional(),
  /** Those that the operator's settings name. */
  groups: z.array(z.string()),
});
export type Person = z.infer<typeof Person>;

export const Role = z.enum(['viewer', 'owner']);
export type Role = z.infer<typeof Role>;

const SCOPES: Record<Role, readonly Scope[]> = { owner: Scope.options, viewer: ['read'] };
export const scopesOfRole = (role: Role): readonly Scope[] => SCOPES[role];

const GROUP = 'group:';
/** Only ASCII: in other alphabets two addresses may have one lower case. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

function isNamed(entry: string, { email, groups }: Person): boolean {
  if (entry.startsWith(GROUP)) return groups.includes(entry.slice(GROUP.length));
  const named = lower(entry);
  return named.startsWith('*@') ? lower(email).endsWith(named.slice(1)) : lower(email) === named;
}

/** Undefined for a person whom the lists do not name. */
export function roleIn({ owners, viewers }: Access, person: Person): Role | undefined {
  if (owners.some((entry) => isNamed(entry, person))) return 'owner';
  return viewers.some((entry) => isNamed(entry, person)) ? 'viewer' : undefined;
}

/** The users of a person, in the order of the settings. */
export const usersOfPerson = ({ access }: SignInSettings, person: Person): { userId: UserId; role: Role }[] =>
  access.flatMap((lists) => {
    const role = roleIn(lists, person);
    return role === undefined ? [] : [{ userId: lists.userId, role }];
  });

const MAX_GROUPS = 200;
const LONGEST = { subject: 255, email: 254, name: 255 };

type Claims = Readonly<Record<string, unknown>>;

/** One `@`, so that `*@acme.com` names no address with a quoted part. */
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** The person of claims; undefined if they name no address, or one that the provider calls unverified. */
export function personIn(claims: Claims, { access, groupsClaim }: SignInSettings): Person | undefined {
  const { sub: subject, email, email_verified: isVerified, name } = claims;
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST.subject) return undefined;
  if (typeof email !== 'string' || email.length > LONGEST.email || !EMAIL.test(email)) return undefined;
  // Some providers send it as a text.
  if (isVerified !== undefined && isVerified !== true && isVerified !== 'true') return undefined;
  const isShown = typeof name === 'string' && name !== '' && name.length <= LONGEST.name;
  return { subject, email, ...(isShown ? { name } : {}), groups: groupsIn(claims[groupsClaim], access) };
}

/**
 * Whether the claims name another address for the groups: providers leave out long lists.
 * https://openid.net/specs/openid-connect-core-1_0.html#AggregatedDistributedClaims
 */
export function areGroupsLeftOut(claims: Claims, { groupsClaim }: SignInSettings): boolean {
  const { _claim_names: names } = claims;
  return (
    claims[groupsClaim] === undefined &&
    typeof names === 'object' &&
    names !== null &&
    Object.hasOwn(names, groupsClaim)
  );
}

/** The groups that the settings name: the others of a person are stored nowhere. */
function groupsIn(claim: unknown, access: readonly Access[]): string[] {
  const entries = access.flatMap(({ owners, viewers }) => [...owners, ...viewers]);
  const named = new Set(entries.filter((each) => each.startsWith(GROUP)).map((each) => each.slice(GROUP.length)));
  const told: unknown[] = Array.isArray(claim) ? claim : [claim];
  const groups = told.filter((each) => typeof each === 'string').filter((each) => named.has(each));
  return [...new Set(groups)].slice(0, MAX_GROUPS);
}
