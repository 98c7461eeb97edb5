/** A text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
