import { AwsError, type Input, type Output } from '../call.ts';
import type { Faults } from '../faults.ts';
import { isRecord, requiredText, wrongType } from './input.ts';

const MAX_ENTRIES = 10;
const ENTRY_ID = /^[A-Za-z0-9_-]{1,80}$/;

interface Entry {
  readonly id: string;
  readonly input: Input;
}

/** The entries of a batch. Throws for a fault that fails the whole batch. */
export function readEntries(input: Input, shape: string): Entry[] {
  const entries = input['Entries'];
  if (entries === undefined || entries === null || (Array.isArray(entries) && entries.length === 0)) {
    throw new AwsError('EmptyBatchRequest', `There should be at least one ${shape} in the request.`);
  }
  if (!Array.isArray(entries)) throw wrongType('Entries', 'List');
  if (entries.length > MAX_ENTRIES) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${entries.length}.`,
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

/** Handles each entry for itself: a refused entry does not affect the others. */
export function handleEntries(entries: readonly Entry[], faults: Faults, handle: (entry: Entry) => object): Output {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    if (faults.inject('refused-entry')) {
      const Message = 'We encountered an internal error. Please try again.';
      Failed.push({ Id: entry.id, SenderFault: false, Code: 'InternalError', Message });
      continue;
    }
    try {
      Successful.push(handle(entry));
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
