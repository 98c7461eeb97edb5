/**
 * The JSON text of a queue message. SQS refuses the two noncharacters U+FFFE and U+FFFF, which JSON leaves as they are; inside JSON text an
 * escape means the same.
 */
export const messageText = (message: unknown): string =>
  JSON.stringify(message).replace(
    /[\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
