import type { Message } from 'esbuild';

/** The component cannot be built, by its own fault; the message is for the person who wrote it. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}

/** The npm registry does not serve a package now; the message is for the person who wrote the component, and for the operator. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
}

/** How files are called in messages. */
export type NameFile = (file: string) => string;

/** `components/x.mjs:3:7`, with the column counted from 1 as editors do. */
export function place({ location }: Pick<Message, 'location'>, name: NameFile): string {
  if (!location) return '';
  return `${name(location.file)}:${location.line}:${location.column + 1}`;
}

const MORE = 3;

/** The first errors, each with its place. */
export function describeErrors(messages: readonly Message[], name: NameFile): string {
  const lines = messages.slice(0, MORE).map((message) => {
    const where = place(message, name);
    return where ? `${where}: ${wording(message, name)}` : wording(message, name);
  });
  const rest = messages.length - lines.length;
  return [...new Set(lines)].join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

interface Wording {
  pattern: RegExp;
  say: (name: NameFile, ...groups: string[]) => string;
}

/** The compiler's sentences that would name a file of ours, or leave out what to do. */
const wordings: readonly Wording[] = [
  {
    pattern: /^Could not resolve (?:import|require)\("(.*)"\)$/,
    say: (_, glob) => `computed paths cannot be imported, such as "${glob}"; write the path as a literal`,
  },
  {
    pattern: /^No matching export in "(.*?)" for import "default"$/,
    say: (name, file = '') => `${name(file)} has no default export`,
  },
  {
    pattern: /^No matching export in "(.*?)" for import "(.*)"$/,
    say: (name, file = '', missing) => `${name(file)} has no export "${missing}"`,
  },
  {
    pattern: /^Import "(.+)" will always be undefined because there is no matching export in "(.+)"$/,
    say: (name, missing, file = '') => `${name(file)} has no export "${missing}"`,
  },
  {
    pattern: /^No loader is configured for "(.*?)" files/,
    say: (_, extension) => `files of type ${extension} cannot be imported`,
  },
];

function wording({ text }: Message, name: NameFile): string {
  for (const { pattern, say } of wordings) {
    const found = pattern.exec(text);
    if (found) return say(name, ...found.slice(1));
  }
  return text;
}
