import type { OAuthFunction } from '../../aws/oauth/oauth-function.ts';
import type { Vault } from '../../aws/vault.ts';
import { check, invalidField } from '../../domain/check.ts';
import { ServiceError } from '../../domain/errors.ts';
import { newId, OAuthClientId, type Random } from '../../domain/id.ts';
import { signInHostProblem } from '../../domain/person/sign-in-hosts.ts';
import { type Access, SignInDocument, type SignInSettings } from '../../domain/person/sign-in-settings.ts';
import type { SignInSettingsStore } from '../../store/users/sign-in-settings-store.ts';
import type { UserStore } from '../../store/users/users.ts';

interface SetSignInContext {
  signInSettings: Pick<SignInSettingsStore, 'find' | 'put'>;
  users: Pick<UserStore, 'list'>;
  vault: Pick<Vault, 'encrypt'>;
  oauthFunction: Pick<OAuthFunction, 'discover'>;
  names: { publicApiUrl: string; ingressUrl: string };
  random: Random;
  now(): number;
}

/** Replaces the settings of sign-in by the operator's document. */
export async function setSignIn(context: SetSignInContext, text: string): Promise<SignInSettings> {
  const { signInSettings, vault, oauthFunction, names, random, now } = context;
  const problem = signInHostProblem(names);
  if (problem !== undefined) throw new ServiceError('invalid_request', problem);
  const document = check(SignInDocument, jsonOf(text));
  const access = await accessOf(context, document);
  const { issuer, client_id: clientId, client_secret: secret } = document;
  const found = await oauthFunction.discover(issuer);
  if (found.state === 'failed') throw invalidField('issuer', `cannot be used: ${found.reason.replace(/\.$/, '')}`);
  const before = await signInSettings.find();
  const isSame = before?.issuer === issuer && before.clientId === clientId;
  const client = isSame ? before.client : OAuthClientId.parse(newId('oauthClient', now(), random));
  const sealed = secret && (await vault.encrypt({ id: client, ownerId: 'operator' }, { client_secret: secret }));
  const { name, scope, groups_claim: groupsClaim, parameters } = document;
  const settings: SignInSettings = {
    client,
    name,
    issuer,
    scope,
    groupsClaim,
    parameters,
    clientId,
    access,
    changedAt: now(),
    ...(sealed ? { secret: sealed } : {}),
  };
  await signInSettings.put(settings);
  return settings;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('malformed_json', 'The document is not JSON.');
  }
}

async function accessOf({ users }: SetSignInContext, document: SignInDocument): Promise<Access[]> {
  const all = await users.list();
  const access = document.users.map(({ user, owners, viewers }): Access => {
    const found = all.find(({ id, username }) => id === user || username === user);
    if (!found)
      throw invalidField(`users.${user}`, 'is no id or name of a user: `tributary admin users list` shows them');
    return { userId: found.id, owners, viewers };
  });
  const twice = access.find(({ userId }, index) => access.findIndex((each) => each.userId === userId) !== index);
  if (twice) throw invalidField('users', `names ${twice.userId} twice, by id and by name`);
  return access;
}
