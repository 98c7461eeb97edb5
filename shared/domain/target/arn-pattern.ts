/** `*` matches any characters, `?` matches one character. */
export function wildcard(pattern: string, flags = ''): (text: string) => boolean {
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern) && flags === '') return (text) => text === pattern;
  return matcher(sourceOf(pattern, '.'), flags);
}

/** An ARN matches part by part: a wildcard never matches one of the first five colons. */
export function arnPattern(pattern: string): (arn: string) => boolean {
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern)) return (arn) => arn === pattern;
  const parts = pattern.split(':');
  return matcher(parts.map((part, n) => sourceOf(part, n < 5 ? '[^:]' : '.')).join(':'));
}

/** The source of a regular expression; wildcards match only this class of characters. */
const sourceOf = (pattern: string, characters: string): string =>
  pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', `${characters}*`)
    .replaceAll('?', characters);

function matcher(source: string, flags = ''): (text: string) => boolean {
  const expression = new RegExp(`^${source}$`, `s${flags}`);
  return (text) => expression.test(text);
}
