import { usageFailure, unknownName } from '../failures.ts';
import { suggestion } from '../input/closest.ts';
import { DEFAULT_PROFILE, type Profile, type Profiles } from './profiles.ts';
import { apiBase } from './service-address.ts';
import { shellWord } from '../output/shell-word.ts';

/** The service that a command talks to. */
export interface Target {
  /** Ends in `/v1`. */
  base: string;
  key: string;
  /** The origin of address and key, in words. */
  from: string;
  addressFrom: string;
  keyFrom: string;
}

export interface TargetInput {
  options: { url?: string | undefined; key?: string | undefined; profile?: string | undefined };
  env: Readonly<Record<string, string | undefined>>;
  profiles: Profiles;
  here: (Profile & { path: string }) | undefined;
}

/** An address, a key, or both, that were set together. */
interface Setting {
  name: string;
  base: string | undefined;
  key: string | undefined;
  /** The key was made for this address, and is sent to no other. */
  isPair: boolean;
}

const set = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/**
 * Address and key each come from the first setting that has one. The key of a profile or of a service here goes to its
 * own address only.
 */
export function resolveTarget(input: TargetInput): Target {
  const settings = settingsOf(input);
  const address = settings.find(({ base }) => base !== undefined);
  if (address?.base === undefined) {
    throw usageFailure(
      'No service is set and none runs here: run tributary login --url ADDRESS, or set TRIBUTARY_URL and TRIBUTARY_API_KEY.',
      'no_key',
    );
  }
  const { base } = address;
  const holder = settings.find((setting) => setting.key !== undefined && (!setting.isPair || setting.base === base));
  if (holder?.key === undefined) {
    throw usageFailure(
      `No key is set for ${base}: run tributary login --url ${shellWord(base)}, or set TRIBUTARY_API_KEY.`,
      'no_key',
    );
  }
  checkKey(holder.key);
  const from = address.name === holder.name ? address.name : `${address.name}, key from ${holder.name}`;
  return { base, key: holder.key, from, addressFrom: address.name, keyFrom: holder.name };
}

/** The first address that is set, for a command that has no key yet. */
export const firstBase = (input: TargetInput): string | undefined =>
  settingsOf(input).find(({ base }) => base !== undefined)?.base;

function settingsOf({ options, env, profiles, here }: TargetInput): Setting[] {
  const chosen = set(options.profile) ?? set(env['TRIBUTARY_PROFILE']);
  const name = chosen ?? DEFAULT_PROFILE;
  const profile = profiles.get(name);
  if (chosen !== undefined && !profile)
    throw unknownName(`There is no profile ${chosen}.${suggestion(chosen, profiles.keys())}`);
  const { TRIBUTARY_URL: url, TRIBUTARY_API_KEY: key } = env;
  return [
    loose('the options', { url: options.url, from: '--url', key: options.key }),
    loose('the environment', { url, from: 'TRIBUTARY_URL', key }),
    ...(profile ? [pair(`the profile ${name}`, profile)] : []),
    ...(here ? [pair(`the service here, ${here.path}`, here)] : []),
  ];
}

interface LooseSetting {
  url: string | undefined;
  /** The option or variable of the address. */
  from: string;
  key: string | undefined;
}

/** Other characters cannot be in a header, and the error of an attempt would show the key. */
export function checkKey(key: string): void {
  if (!/^[\x21-\x7e]+$/.test(key)) throw usageFailure('The key must be printable ASCII without spaces.', 'no_key');
}

const loose = (name: string, { url, from, key }: LooseSetting): Setting => ({
  name,
  base: set(url) === undefined ? undefined : apiBase(url ?? '', from),
  key: set(key),
  isPair: false,
});

const pair = (name: string, { url, key }: Profile): Setting => ({
  name,
  base: apiBase(url, name),
  key,
  isPair: true,
});
