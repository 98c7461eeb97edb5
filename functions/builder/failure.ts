import type { Message } from 'esbuild';
import type { CodeFrame } from '../../shared/domain/component/build-result.ts';
import { codeFrame } from '../../shared/lib/code-frame.ts';

/** The component cannot be built; the message is for its author. */
export class BuildFailure extends Error {
  override readonly name: string = 'BuildFailure';
  /** The code of the positions that the message names. */
  readonly frames: readonly CodeFrame[];

  constructor(message: string, { frames = [], ...options }: ErrorOptions & { frames?: CodeFrame[] } = {}) {
    super(message, options);
    this.frames = frames;
  }
}

/** The packages cannot be installed. The process may still install them, so it must end. */
export class InstallRefused extends BuildFailure {}

/**
 * The compiler's program ended, by code that nests too deeply for its stack. This process has no compiler any more, so
 * it must end.
 */
export class CompilerEnded extends BuildFailure {
  constructor() {
    super('the compiler ended before the build was done: the code nests too deeply');
  }
}

/**
 * The npm registry does not serve a package at the moment; the message is for the component's author and the operator.
 */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
}

/** Maps a file to its name in messages. */
export type NameFile = (file: string) => string;

/** `components/x.mjs:3:7`; the column is counted from 1. */
export function positionText({ location }: Pick<Message, 'location'>, name: NameFile): string {
  if (!location) return '';
  return `${name(location.file)}:${location.line}:${location.column + 1}`;
}

const MAX_ERRORS = 3;

/** The first errors, each with its position and its code. */
export function buildFailureOf(messages: readonly Message[], name: NameFile): BuildFailure {
  const shown = messages.slice(0, MAX_ERRORS);
  const lines = shown.map((message) => {
    const position = positionText(message, name);
    return position ? `${position}: ${wording(message, name)}` : wording(message, name);
  });
  const rest = messages.length - lines.length;
  const text = [...new Set(lines)].join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  const frames = new Map(shown.flatMap((message) => frameOf(message, name)));
  return new BuildFailure(text, { frames: [...frames].map(([path, message]) => ({ path, message })) });
}

function frameOf({ location }: Message, name: NameFile): [path: string, message: string][] {
  if (!location) return [];
  // The compiler counts bytes.
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length;
  const frame = codeFrame(location.lineText, column);
  return frame === undefined ? [] : [[positionText({ location }, name), frame]];
}

interface Wording {
  pattern: RegExp;
  say: (name: NameFile, ...groups: string[]) => string;
}

/** Replacements for messages of the compiler that name internal files, or do not say how to fix the error. */
const wordings: readonly Wording[] = [
  {
    pattern: /will not be bundled because the argument is not a string literal/,
    say: () =>
      'computed names cannot be imported, because a build contains only what it can find; write the name as a literal',
  },
  {
    pattern: /^Could not resolve (?:import|require)\("(.*)"\)$/,
    say: (_, glob) => `computed paths cannot be imported, such as "${glob}"; write the path as a literal`,
  },
  {
    pattern: /^The glob pattern import\("(.*)"\) did not match any files$/,
    say: (_, glob) => `computed paths cannot be imported, such as "${glob}"; write the path as a literal`,
  },
  {
    pattern: /^No matching export in "(.*?)" for import "default"$/,
    say: (name, file = '') => `${name(file)} has no default export: add export default { … }`,
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
