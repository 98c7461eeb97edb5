import { type Dict, isDict } from './guards.ts';

/** Errors that an error names as its causes; more are not looked at. */
const MAX_ERRORS = 5;

/** A member of a thrown value, whose getters may throw. */
export function safeMember(value: Dict, name: string): unknown {
  try {
    return value[name];
  } catch {
    return undefined;
  }
}

export const textIn = (value: Dict, name: string): string | undefined => {
  const text = safeMember(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** An error of a chain, and what stands before it when the messages are joined. */
export interface ChainedError {
  error: Dict;
  joint: '' | ': ' | '; ';
}

/** The error, its causes, and the errors of which an `AggregateError` consists; each once, and at most five. */
export function errorChain(thrown: Dict): ChainedError[] {
  const found = new Map<Dict, ChainedError>();
  const open: { value: unknown; joint: ChainedError['joint'] }[] = [{ value: thrown, joint: '' }];
  for (let next = open.shift(); next && found.size < MAX_ERRORS; next = open.shift()) {
    const error = typeof next.value === 'string' ? { message: next.value } : next.value;
    if (!isDict(error) || found.has(error)) continue;
    found.set(error, { error, joint: next.joint });
    open.push({ value: safeMember(error, 'cause'), joint: ': ' });
    for (const [at, value] of errorsIn(error).entries()) open.push({ value, joint: at === 0 ? ': ' : '; ' });
  }
  return [...found.values()];
}

/** The errors of which an `AggregateError` consists. */
export function errorsIn(error: Dict): unknown[] {
  const errors = safeMember(error, 'errors');
  return Array.isArray(errors) ? errors.slice(0, MAX_ERRORS) : [];
}
