/** The messages of a live stream, as text of the format `text/event-stream`. */

export const COMMENT = ': \n\n';
export const GAP = 'event: gap\ndata: {}\n\n';

/** The first message: its id is that of the newest event, so that a client that connects again goes on after it. */
export const startMessage = (newest: string): string => `event: start\nid: ${newest}\ndata: {}\n\n`;

/** An event, as a message without a name. A line break of the JSON can only stand between its tokens. */
export const eventMessage = (id: string, json: string): string =>
  `id: ${id}\ndata: ${json.replaceAll(/[\r\n]+/g, ' ')}\n\n`;

/** The time after which a client connects again. */
export const retryMessage = (ms: number): string => `retry: ${ms}\n\n`;
