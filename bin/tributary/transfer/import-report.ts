/** The changes that an import made, or would make. */
export interface ImportReport {
  made: string[];
  changed: string[];
  unchanged: number;
  /** Sentences with the command that mends each. */
  leftOut: string[];
}

export const newReport = (): ImportReport => ({ made: [], changed: [], unchanged: 0, leftOut: [] });

export const reportLine = ({ made, changed, unchanged }: ImportReport): string =>
  `${made.length} made, ${changed.length} changed, ${unchanged} as they were`;
