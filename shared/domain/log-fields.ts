/** The fields of a line in the operator's log: ids, numbers and states, never a secret, a key, a body or the path of an endpoint. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one line at `info`. */
export type WriteLine = (message: string, fields: LogFields) => void;
