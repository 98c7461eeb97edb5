import { cut } from '../lib/cut.ts';
import type { RunError } from '../domain/run/run.ts';
import { isDict } from './guards.ts';

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

/** Converts any thrown value to an error that can be stored. */
export function runErrorOf(thrown: unknown, redact = (text: string) => text): RunError {
  try {
    return bounded(isDict(thrown) ? fromObject(thrown) : fromValue(thrown), redact);
  } catch {
    // The value may be a proxy, or have getters that throw.
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

function fromObject(thrown: Record<string, unknown>): RunError {
  const name = text(thrown['name']) ?? 'Error';
  const message =
    text(thrown['message']) ?? (thrown instanceof Error ? name : (JSON.stringify(thrown) ?? ''));
  const code = typeof thrown['code'] === 'number' ? String(thrown['code']) : text(thrown['code']);
  const stack = text(thrown['stack']) ?? `${name}: ${message}`;
  const status = statusOf(thrown);
  return {
    code: code ?? name,
    name,
    message,
    stack: stack + causes(thrown['cause']),
    ...(status === undefined ? {} : { status }),
  };
}

function fromValue(thrown: unknown): RunError {
  const message = String(thrown);
  return { code: 'Error', name: 'Error', message, stack: '' };
}

/** Clients of HTTP put the status of a refusal in one of these. */
function statusOf(thrown: Record<string, unknown>): number | undefined {
  const { response } = thrown;
  const candidates = [
    thrown['status'],
    thrown['statusCode'],
    isDict(response) ? response['status'] : undefined,
  ];
  return candidates.find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
  );
}

const causes = (cause: unknown): string =>
  isDict(cause) && typeof cause['stack'] === 'string' ? `\nCaused by: ${cause['stack']}` : '';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Redacted before it is cut, because half a credential is not recognised. */
const bounded = (
  { code, name, message, stack, ...status }: RunError,
  redact: (text: string) => string,
): RunError => ({
  ...status,
  code: cut(redact(code), LONGEST_CODE),
  name: cut(redact(name), LONGEST_CODE),
  message: cut(redact(message), LONGEST_MESSAGE),
  stack: cut(redactedStack({ name, message, stack }, redact), LONGEST_STACK),
});

/** A short value is recognised only where it stands alone, and the message stands at the head of the stack as well. */
function redactedStack(
  { name, message, stack }: Pick<RunError, 'name' | 'message' | 'stack'>,
  redact: (text: string) => string,
): string {
  const head = `${name}: ${message}`;
  if (!stack.startsWith(head)) return redact(stack);
  return `${redact(name)}: ${redact(message)}${redact(stack.slice(head.length))}`;
}
