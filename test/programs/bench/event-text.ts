const DUE_AT = /"at":([\d.]+)/;

/** The body of a request: `at` comes first, so that a delivery is read in a moment, however long its text. */
export const eventText = (at: number, text: string): string => `{"at":${at},"text":${text}}`;

/** When the event was due, read from the start of its delivery. */
export const dueAtIn = (start: string): number => Number(DUE_AT.exec(start)?.[1]);
