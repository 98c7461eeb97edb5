import * as z from 'zod';
import type { Api } from '../session/api.ts';
import { User } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { CommandFailure, unknownName, usageFailure } from '../failures.ts';
import { changeProfiles, checkProfileName, DEFAULT_PROFILE, readProfiles } from '../session/profiles.ts';
import { readAll } from '../input/read-input.ts';
import type { Session } from '../session/command-session.ts';
import { suggestion } from '../input/closest.ts';
import { checkKey, firstBase } from '../session/target.ts';

const Nothing = z.object({});

/** `login`, `logout`, `profiles` and `whoami`. */
export function addProfileCommands({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'login',
    about: 'Keep the address and key of a service as a profile.',
    input: Nothing,
    examples: [
      ['tributary login --url http://localhost:3000', 'asks for the key and keeps both as the profile default'],
      ['tributary login --url https://events.example.com --profile prod < key.txt', 'reads the key from a file'],
    ],
    run: login,
  });
  leaf(program, {
    usage: 'logout',
    about: 'Forget a profile.',
    input: Nothing,
    examples: [
      ['tributary logout', 'forgets the profile default'],
      ['tributary logout --profile prod', 'forgets the profile prod'],
    ],
    run: logout,
  });
  leaf(program, {
    usage: 'profiles',
    about: 'List the profiles, without their keys.',
    input: Nothing,
    examples: [
      ['tributary profiles', 'names and addresses'],
      ['tributary profiles --json', 'the same for programs'],
    ],
    run: async ({ terminal, output }) => {
      const profiles = [...(await readProfiles(terminal.env))].map(([name, { url }]) => ({ name, url }));
      const named = output.quiet ? profiles.map((profile) => ({ ...profile, id: profile.name })) : profiles;
      output.list(output.json ? profiles : named, [
        { heading: 'NAME', of: ({ name }) => name },
        { heading: 'ADDRESS', of: ({ url }) => url },
      ]);
    },
  });
  leaf(program, {
    usage: 'whoami',
    about: 'Show the user of the key, the service, and where both were set.',
    input: Nothing,
    examples: [
      ['tributary whoami', 'the user and the service that other commands would use'],
      ['tributary whoami --json', 'the whole user for programs, with the API key'],
    ],
    run: whoami,
  });
}

const profileOf = ({ options, terminal }: Session): string => {
  const name = options.profile ?? terminal.env['TRIBUTARY_PROFILE'] ?? '';
  if (name === '') return DEFAULT_PROFILE;
  checkProfileName(name);
  return name;
};

async function login(session: Session): Promise<void> {
  const { options, terminal, output } = session;
  const name = profileOf(session);
  const { profiles, here } = await session.targetInput();
  const stored = profiles.get(name);
  const base = firstBase({
    options: { url: options.url },
    env: { TRIBUTARY_URL: terminal.env['TRIBUTARY_URL'] },
    profiles: new Map(stored ? [[DEFAULT_PROFILE, stored]] : []),
    here,
  });
  if (base === undefined) throw usageFailure('The address is missing: add --url ADDRESS.');
  const key = options.key ?? (await askForKey(session, base));
  if (key === '') throw usageFailure('The key is empty: type it, or pipe it to tributary login.', 'no_key');
  checkKey(key);
  const user = await userOf(session.apiAt({ base, key }));
  await changeProfiles(terminal.env, (profiles) => profiles.set(name, { url: base, key }));
  if (output.json) output.result({ id: user.id, username: user.username, profile: name, url: base }, '');
  else output.result(user, `Logged in to ${base} as ${user.username}; kept as the profile ${name}.`);
}

async function askForKey({ terminal }: Session, base: string): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY !== true) return (await readAll(stdin)).trim();
  const { password } = await import('@inquirer/prompts');
  // The question goes to stderr: stdout may be a file.
  return (await password({ message: `API key for ${base}:` }, { input: stdin, output: stderr })).trim();
}

const userOf = (api: Api) => api.get('/users/me', User);

async function logout(session: Session): Promise<void> {
  const { terminal, output } = session;
  const name = profileOf(session);
  const before = await readProfiles(terminal.env);
  if (!before.has(name)) throw unknownName(`There is no profile ${name}.${suggestion(name, before.keys())}`);
  await changeProfiles(terminal.env, (profiles) => profiles.delete(name));
  output.deleted(name);
}

async function whoami(session: Session): Promise<void> {
  const { output } = session;
  const target = await session.target();
  const user = await userOf(await session.api()).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || error.report.code !== 'unauthenticated') throw error;
    const origin = `The address comes from ${target.addressFrom}, the key from ${target.keyFrom}.`;
    const sentence = `${error.report.error} ${origin}`;
    throw new CommandFailure(error.exitCode, { ...error.report, error: sentence });
  });
  output.object({ ...user, url: target.base, from: target.from }, [
    { heading: 'USER', of: ({ username }) => username },
    { heading: 'ID', of: ({ id }) => id },
    { heading: 'ADDRESS', of: ({ url }) => url },
    { heading: 'FROM', of: ({ from }) => from },
  ]);
}
