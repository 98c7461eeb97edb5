import type { Api } from '../session/api.ts';
import { CommandFailure } from '../failures.ts';
import type { Prop } from '../session/response-schemas.ts';
import type { Document } from './document.ts';
import type { SetValues } from './set-values.ts';
import type { ImportReport } from './import-report.ts';
import type { AccountState } from './read-account.ts';

export interface ImportOptions {
  isDryRun: boolean;
  /** New sources are switched off after they are made. */
  areInactive: boolean;
  /** Values that the caller gives for props. */
  setValues: SetValues;
}

/** The import of one document into one account. */
export interface ImportWork extends ImportOptions {
  api: Api;
  document: Document;
  before: AccountState;
  report: ImportReport;
  /** Ids by code hash. */
  components: Map<string, string>;
  /** Prop definitions by component id. */
  props: Map<string, readonly Prop[]>;
  /** Ids by slug. */
  sources: Map<string, string>;
  /** Ids by the document's name of a webhook. */
  webhooks: Map<string, string>;
}

/** In the place of an id: a dry run makes nothing. */
export const NOT_MADE = '';

/** A refusal of one entry leaves that entry out; the others go on. */
export async function attempt({ report }: ImportWork, what: string, change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.exitCode !== 1) throw error;
    report.leftOut.push(`${what}: ${error.message}`);
  }
}
