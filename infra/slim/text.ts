export const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Where there is nothing to replace, a package has changed: the build fails. */
export function replaced(text: string, pattern: RegExp | string, by: string, path: string): string {
  const result = text.replaceAll(pattern, by);
  if (result === text) throw new Error(`infra/slim finds nothing to rewrite in ${path}: ${String(pattern)}`);
  return result;
}
