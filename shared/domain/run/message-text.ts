/**
 * The JSON text of a queue message. SQS refuses the noncharacters U+FFFE and U+FFFF, which `JSON.stringify` does not
 * escape, so they are escaped here.
 */
export const messageText = (message: unknown): string =>
  JSON.stringify(message).replace(/[\uFFFE\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
