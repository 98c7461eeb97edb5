/** The tags of a box for a request. No tag has a comma. */
export const typedTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

export const textOfTags = (tags: readonly string[]): string => tags.join(', ');
