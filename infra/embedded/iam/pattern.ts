/** `*` matches any characters, `?` matches one character. */
export function wildcard(pattern: string, flags = ''): (text: string) => boolean {
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern) && flags === '') return (text) => text === pattern;
  const source = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, `s${flags}`);
  return (text) => expression.test(text);
}

/** An ARN matches part by part: a wildcard never matches one of the first five colons. */
export function arnPattern(pattern: string): (arn: string) => boolean {
  if (pattern === '*') return () => true;
  const parts = arnParts(pattern).map((part) => wildcard(part));
  return (arn) => {
    const texts = arnParts(arn);
    return texts.length === parts.length && parts.every((matches, n) => matches(texts[n] ?? ''));
  };
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}
