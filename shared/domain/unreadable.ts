import { parseFailure } from './parse-failure.ts';

/** An item that this release cannot read: its id or key, and the reason, without its content. */
export interface UnreadableItem {
  id: string;
  reason: string;
}

/** Takes an item that cannot be read, and stays as it is. */
export type OnUnreadable = (item: UnreadableItem) => void;

/**
 * Does the work about one item. An item that cannot be read is reported, and ends no other work. Any other error is
 * thrown.
 */
export async function whileReadable<T>(
  id: string,
  onUnreadable: OnUnreadable,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    reportUnreadable(id, onUnreadable, error);
    return undefined;
  }
}

/** Throws an error that says nothing about the item. */
export function reportUnreadable(id: string, onUnreadable: OnUnreadable, error: unknown): void {
  const reason = parseFailure(error);
  if (reason === undefined) throw error;
  onUnreadable({ id, reason });
}
