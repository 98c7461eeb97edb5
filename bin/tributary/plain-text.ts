/** Control characters, and marks that change the direction of text: user text must not steer the terminal. */
// oxlint-disable-next-line no-control-regex -- control characters are what this replaces
const STEERING = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what this replaces
const STEERING_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line of text, as a terminal may show it. */
export const plainLine = (text: string): string => text.replace(STEERING, ' ');

/** Text of several lines, as a terminal may show it. */
export const plainLines = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(STEERING_BUT_LINES, ' ');
