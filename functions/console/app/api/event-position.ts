/** The two parts of an event id, `<epoch-milliseconds>-<sequence>`, by which events order. */
export const eventMs = (eventId: string): number => Number(eventId.split('-')[0]);
export const eventSequence = (eventId: string): number => Number(eventId.split('-')[1]);

/** An order of events with the newest one first. */
export const newestFirst = (a: { id: string }, b: { id: string }): number =>
  eventMs(b.id) - eventMs(a.id) || eventSequence(b.id) - eventSequence(a.id);
