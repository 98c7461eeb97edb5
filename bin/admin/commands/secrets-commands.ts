import * as z from 'zod';
import { UnreadableSecret } from '../../../shared/aws/encryption/sealed-text.ts';
import type { Holder } from '../../../shared/aws/vault.ts';
import type { UserId } from '../../../shared/domain/id.ts';
import { whileReadable } from '../../../shared/domain/unreadable.ts';
import type { SealedFields } from '../../../shared/domain/user/sealed-fields.ts';
import { signingSecretsOf } from '../../../shared/domain/webhook/webhook.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import type { Operator } from '../operator.ts';
import { operatorCommand } from '../operator-command.ts';

/** KMS opens the data key with no key that it has, or the data key does not belong to the key. */
const LOST: ReadonlySet<string> = new Set(['IncorrectKeyException', 'InvalidCiphertextException', 'NotFoundException']);
/** Nothing is lost while the key can be switched on again. */
const CLOSED: ReadonlySet<string> = new Set(['DisabledException', 'KMSInvalidStateException']);

const OPERATOR = 'operator';

interface Secret {
  holder: Holder;
  kind: 'account' | 'webhook' | 'workflow' | 'oauth-client' | 'sign-in';
  sealed: readonly (SealedFields | string | undefined)[];
  /** The refresh token of an account. */
  renewal?: SealedFields | undefined;
  /** The command that gives it a secret again. */
  mend: string;
}

type SecretOperator = Pick<
  Operator,
  'accounts' | 'clients' | 'signInSettings' | 'unreadable' | 'users' | 'vault' | 'webhooks' | 'workflows'
>;

export const listLostSecrets = operatorCommand({
  usage: 'lost',
  role: 'restore',
  about:
    'List accounts, webhooks, workflows, OAuth clients and the sign-in whose secrets cannot be decrypted any more, without any content.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin secrets lost --stack TributaryProd', 'after the key of the stack was replaced'],
    ['tributary admin secrets lost --json', 'of this machine, for programs'],
  ],
  run: async (operator) => {
    const rows: { owner: string; kind: string; id: string; mend: string }[] = [];
    let count = 0;
    for await (const { holder, kind, sealed, renewal, mend } of secrets(operator)) {
      if ([...sealed, renewal].some((each) => each !== undefined)) count += 1;
      const renews = { ...holder, part: 'renewal' } as const;
      if ((await isLost(operator, holder, sealed)) || (await isLost(operator, renews, [renewal])))
        rows.push({ owner: holder.ownerId, kind, id: holder.id, mend });
    }
    return {
      json: rows,
      text:
        rows.length === 0
          ? `All ${count} secrets can be decrypted.`
          : rows.map((row) => Object.values(row).join('\t')).join('\n'),
      isFailed: rows.length > 0,
    };
  },
});

/** Without the values of secrets, which stay encrypted. */
async function* secrets(operator: SecretOperator): AsyncGenerator<Secret> {
  for (const { id, apps, secret } of await operator.clients.list())
    yield {
      holder: { id, ownerId: OPERATOR },
      kind: 'oauth-client',
      sealed: [secret],
      mend: `tributary admin oauth-clients add --app ${apps[0]}`,
    };
  const signIn = await operator.signInSettings.find();
  if (signIn)
    yield {
      holder: { id: signIn.client, ownerId: OPERATOR },
      kind: 'sign-in',
      sealed: [signIn.secret],
      mend: 'tributary admin sign-in set sign-in.json',
    };
  for (const { id, ownerId, secret } of await operator.workflows.list())
    yield {
      holder: { id, ownerId },
      kind: 'workflow',
      sealed: [secret],
      mend: `tributary admin workflows delete --workflow ${id}; tributary admin workflows register`,
    };
  for (const id of await operator.users.ids()) yield* secretsOf(operator, id);
}

async function* secretsOf({ accounts, unreadable, webhooks }: SecretOperator, ownerId: UserId): AsyncGenerator<Secret> {
  for (const { id, sealed, oauth } of await accounts.list(ownerId)) {
    const mend = oauth ? `tributary accounts reconnect ${id}` : `tributary accounts update ${id} --field …`;
    yield { holder: { id, ownerId }, kind: 'account', sealed: [sealed], renewal: oauth?.renewal, mend };
  }
  for (const id of await webhooks.ids(ownerId)) {
    const found = await whileReadable(id, unreadable.add, () => webhooks.find(id));
    if (!found) continue;
    const signing = signingSecretsOf(found, Date.now());
    const mend = `tributary webhooks rotate ${id} --revoke${found.headers ? `; tributary webhooks update ${id} --header …` : ''}`;
    yield { holder: { id, ownerId }, kind: 'webhook', sealed: [...signing, found.headers], mend };
  }
}

async function isLost({ vault }: Pick<Operator, 'vault'>, holder: Holder, all: Secret['sealed']): Promise<boolean> {
  for (const sealed of all) {
    // Earlier releases stored signing secrets as plain text.
    if (sealed === undefined || typeof sealed === 'string') continue;
    try {
      await vault.decrypt({ ...holder, sealed });
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      if (LOST.has(name) || error instanceof UnreadableSecret) return true;
      if (CLOSED.has(name))
        throw refusedFailure(
          'The key is disabled or scheduled for deletion, and nothing is lost yet: cancel the deletion (aws kms cancel-key-deletion), then enable the key (aws kms enable-key).',
        );
      throw error;
    }
  }
  return false;
}
