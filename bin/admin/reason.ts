/** The first line of an error's message, with a full stop: the end of a sentence for the operator. */
export function reasonOf(cause: unknown): string {
  const [line = ''] = (cause instanceof Error ? cause.message || cause.name : String(cause)).split('\n');
  return line.replace(/\.?$/, '.');
}
