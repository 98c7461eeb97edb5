/** The changes that an import made, or would make. */
export interface ImportReport {
  made: string[];
  changed: string[];
  unchanged: number;
  /** Sentences with the command that mends each. */
  leftOut: string[];
  /** Apps of accounts that are missing; an account comes before what was left out for lack of it. */
  missingApps: Set<string>;
}

export const newReport = (): ImportReport => ({
  made: [],
  changed: [],
  unchanged: 0,
  leftOut: [],
  missingApps: new Set(),
});

export const reportLine = ({ made, changed, unchanged }: ImportReport): string =>
  `${made.length} made, ${changed.length} changed, ${unchanged} as they were`;
