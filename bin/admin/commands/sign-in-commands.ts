import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import * as z from 'zod';
import { CALLBACK_PATH, CONSOLE_PATH } from '../../../shared/domain/person/session-names.ts';
import { LARGEST_SETTINGS_BYTES, type SignInSettings } from '../../../shared/domain/person/sign-in-settings.ts';
import { setSignIn } from '../../../shared/service/identity/set-sign-in.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';

/** The document, without its secret. */
const shown = (settings: SignInSettings) => ({
  name: settings.name,
  issuer: settings.issuer,
  client_id: settings.clientId,
  has_secret: settings.secret !== undefined,
  scope: settings.scope,
  groups_claim: settings.groupsClaim,
  parameters: settings.parameters,
  users: settings.access.map(({ userId, owners, viewers }) => ({ user: userId, owners, viewers })),
  changed_at: Math.floor(settings.changedAt / 1_000),
});

const addresses = (publicApiUrl: string) => ({
  redirect_address: `${publicApiUrl}${CALLBACK_PATH}`,
  sign_out_address: `${publicApiUrl}${CONSOLE_PATH}`,
});

const report = (settings: SignInSettings, publicApiUrl: string, first: string) => {
  const { redirect_address: redirect, sign_out_address: signOut } = addresses(publicApiUrl);
  const people = settings.access.map(
    ({ userId, owners, viewers }) =>
      `${userId}  owners: ${owners.join(', ') || 'none'}  viewers: ${viewers.join(', ') || 'none'}`,
  );
  return {
    json: { ...shown(settings), ...addresses(publicApiUrl) },
    text: [first, ...people, `Redirect address: ${redirect}`, `After sign-out: ${signOut}`].join('\n'),
  };
};

async function documentAt(path: string): Promise<string> {
  const read = path === '-' ? textOf(process.stdin) : readFile(path, 'utf8');
  const document = await read.catch(() => {
    throw refusedFailure(`The file ${path} cannot be read.`);
  });
  if (Buffer.byteLength(document) > LARGEST_SETTINGS_BYTES)
    throw refusedFailure(`The document has more than ${LARGEST_SETTINGS_BYTES / 1_024} KB.`);
  return document;
}

export const setSignInCommand = operatorCommand({
  usage: 'set <file>',
  about: 'Set how people sign in to the console: identity provider, client, and the people of each user.',
  input: z.strictObject({ file: z.string().min(1, 'is empty') }),
  examples: [
    ['tributary admin sign-in set sign-in.json', 'replaces the document, and prints the redirect address'],
    ['tributary admin sign-in set -', 'reads the document from standard input'],
  ],
  run: async (operator, { file }) => {
    const settings = await setSignIn(operator, await documentAt(file));
    const first = `People sign in by ${settings.name} within a minute.`;
    return report(settings, operator.names.publicApiUrl, first);
  },
});

export const showSignInCommand = operatorCommand({
  usage: 'show',
  role: 'read',
  about: 'Show how people sign in to the console, without the secret of the client.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin sign-in show', 'with the redirect address'],
    ['tributary admin sign-in show --json', 'as a JSON document'],
  ],
  run: async ({ signInSettings, names }) => {
    const settings = await signInSettings.find();
    if (settings) return report(settings, names.publicApiUrl, `${settings.name}: ${settings.issuer}`);
    return { json: addresses(names.publicApiUrl), text: 'People do not sign in: keys open the console.' };
  },
});

export const removeSignInCommand = operatorCommand({
  usage: 'remove',
  about: 'Remove the settings of sign-in: all sessions of people end within a minute; keys go on.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin sign-in remove', 'ends all sessions'],
    ['tributary admin sign-in remove --json', 'says so as JSON'],
  ],
  run: async ({ signInSettings }) => {
    await signInSettings.remove();
    return { json: {}, text: 'Removed. Sessions of people end within a minute.' };
  },
});
