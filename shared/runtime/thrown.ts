import { cut } from '../lib/cut.ts';
import { ownPosition } from '../domain/run/own-frame.ts';
import type { RunError } from '../domain/run/run.ts';
import { errorChain, safeMember, textIn } from './error-chain.ts';
import { messageOfChain } from './error-message.ts';
import { causesText, ownFrames } from './error-stack.ts';
import { excerptOf } from './excerpt.ts';
import { type Dict, isDict } from './guards.ts';

const LONGEST_MESSAGE = 4096;
const LONGEST_STACK = 16_384;
const LONGEST_CODE = 128;

/** An error of the runtime itself, identified by `code`. */
export class RuntimeError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RuntimeError';
    this.code = code;
  }
}

/** A module that could not be evaluated: the error of `reason`, under a code of the runtime. */
export class LoadFailure extends RuntimeError {
  readonly reason: unknown;

  constructor(code: string, reason: unknown) {
    super(code, 'The component does not load.');
    this.reason = reason;
  }
}

type Redact = (text: string) => string;

/** Converts any thrown value to an error that can be stored. */
export function runErrorOf(thrown: unknown, redact: Redact = (text) => text): RunError {
  try {
    if (thrown instanceof LoadFailure) return { ...runErrorOf(thrown.reason, redact), code: thrown.code };
    return isDict(thrown) ? fromObject(thrown, redact) : fromValue(thrown, redact);
  } catch {
    // The value may be a proxy, or a text too long to copy.
    return { code: 'Error', name: 'Error', message: 'The thrown value cannot be read.', stack: '' };
  }
}

/** An error of the runtime that was not thrown. Without a stack, which would show the runtime's own code. */
export const runError = (code: string, message: string): RunError => ({
  code,
  name: 'Error',
  message,
  stack: '',
});

/** Every text is redacted before it is cut, because half a credential is not recognised. */
function fromObject(thrown: Dict, redact: Redact): RunError {
  const name = nameOf(thrown);
  const text = textIn(thrown, 'message');
  const chain = errorChain(thrown);
  const own = text ?? (thrown instanceof Error ? '' : (JSON.stringify(thrown) ?? ''));
  const message = messageOfChain(own, chain, { longest: LONGEST_MESSAGE, redact }) || redact(name);
  const number = safeMember(thrown, 'code');
  const code = typeof number === 'number' ? String(number) : textIn(thrown, 'code');
  const excerpt = excerptOf(thrown);
  const status = statusOf(thrown);
  const frames = ownFrames(thrown, headOf(thrown));
  const at = frames.findIndex((line) => ownPosition(line) !== undefined);
  // The code stands below the frame that it belongs to.
  if (excerpt !== undefined && at >= 0) frames.splice(at + 1, 0, excerpt);
  const stack = [`${redact(name)}: ${message}`, ...frames.map(redact)].join('\n');
  return {
    code: cut(redact(code ?? name), LONGEST_CODE),
    name: cut(redact(name), LONGEST_CODE),
    message,
    stack: cut(stack + redact(causesText(chain, headOf)), LONGEST_STACK),
    ...(status === undefined ? {} : { status }),
  };
}

function fromValue(thrown: unknown, redact: Redact): RunError {
  return { code: 'Error', name: 'Error', message: cut(redact(String(thrown)), LONGEST_MESSAGE), stack: '' };
}

const nameOf = (error: Dict): string => textIn(error, 'name') ?? 'Error';

/** The first line of the stack that the engine makes. */
function headOf(error: Dict): string {
  const message = textIn(error, 'message');
  return message === undefined ? nameOf(error) : `${nameOf(error)}: ${message}`;
}

/** Clients of HTTP put the status of a refusal in one of these. */
function statusOf(thrown: Dict): number | undefined {
  const response = safeMember(thrown, 'response');
  const candidates = [
    safeMember(thrown, 'status'),
    safeMember(thrown, 'statusCode'),
    isDict(response) ? safeMember(response, 'status') : undefined,
  ];
  return candidates.find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
  );
}
