import { AwsError, type Output } from '../call.ts';
import { type Weather } from '../weather.ts';
import { type Input, isRecord, requiredText, wrongType } from './input.ts';

const ENTRIES_AT_MOST = 10;
const ENTRY_ID = /^[A-Za-z0-9_-]{1,80}$/;

export interface Entry {
  readonly id: string;
  readonly input: Input;
}

/** The entries of a batch, after the checks that refuse it whole. */
export function readEntries(input: Input, shape: string): Entry[] {
  const entries = input['Entries'];
  if (entries === undefined || entries === null || (Array.isArray(entries) && entries.length === 0)) {
    throw new AwsError('EmptyBatchRequest', `There should be at least one ${shape} in the request.`);
  }
  if (!Array.isArray(entries)) throw wrongType('Entries', 'List');
  if (entries.length > ENTRIES_AT_MOST) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${ENTRIES_AT_MOST}. You have sent ${entries.length}.`,
    );
  }
  const seen = new Set<string>();
  return entries.map((entry: unknown) => {
    if (!isRecord(entry)) throw wrongType('Entries', 'Structure');
    const id = requiredText(entry, 'Id');
    if (!ENTRY_ID.test(id)) {
      throw new AwsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (seen.has(id)) throw new AwsError('BatchEntryIdsNotDistinct', `Id ${id} repeated.`);
    seen.add(id);
    return { id, input: entry };
  });
}

/** Carries out each entry for itself: what one is refused for does not touch the others. */
export function eachEntry(
  entries: readonly Entry[],
  weather: Weather,
  carryOut: (entry: Entry) => object,
): Output {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    if (weather.strikes('refused-entry')) {
      const Message = 'We encountered an internal error. Please try again.';
      Failed.push({ Id: entry.id, SenderFault: false, Code: 'InternalError', Message });
      continue;
    }
    try {
      Successful.push(carryOut(entry));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({
        Id: entry.id,
        SenderFault: error.fault === 'client',
        Code: error.name,
        Message: error.message,
      });
    }
  }
  return Failed.length > 0 ? { Successful, Failed } : { Successful };
}
