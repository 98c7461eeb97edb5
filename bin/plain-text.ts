/**
 * Characters that steer a terminal: control characters, and marks that change the direction of text. Text of other
 * users, of components and of documents reaches a terminal without them.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this replaces
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g;
const STEERING_BUT_LINES =
  // oxlint-disable-next-line no-control-regex -- control characters are what this replaces
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g;
/** `ESC[1m`: styles, which the command itself writes. */
// oxlint-disable-next-line no-control-regex -- the escape sequences of styles
const STYLE = /(\u001b\[\d{1,3}m)/;

/** One line of text, as a terminal may show it. */
export const plainLine = (text: string): string => text.replace(STEERING, ' ');

/** Text of several lines, as a terminal may show it. */
export const plainLines = (text: string): string => text.replace(/\r\n/g, '\n').replace(STEERING_BUT_LINES, ' ');

/** The same with its styles: all that else is left of a sequence cannot steer. */
export const plainButStyles = (text: string): string =>
  text
    .split(STYLE)
    .map((part, at) => (at % 2 === 1 ? part : plainLines(part)))
    .join('');

/** JSON text of the same value in which these characters are escaped. */
export const plainJson = (json: string): string =>
  json.replace(STEERING_BUT_LINES, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
