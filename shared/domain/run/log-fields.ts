/**
 * The fields of a line in the operator's log: ids, numbers and states, never a secret, a key, a body or the path of an
 * endpoint.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one line at `info`. The fields are not asked for if the operator does not want such lines. */
export type WriteLine = (message: string, fields: () => LogFields) => void;
