import type { OnUnreadable, UnreadableItem } from '../../shared/domain/unreadable.ts';

/** The items that a command could not read. The command continues without them and ends with 1. */
export interface UnreadableItems {
  add: OnUnreadable;
  /** Each once. */
  all(): UnreadableItem[];
}

export function createUnreadableItems(): UnreadableItems {
  const found = new Map<string, UnreadableItem>();
  return {
    add: (item) => void found.set(item.id, item),
    all: () => [...found.values()],
  };
}

/** A sentence for the operator. */
export const unreadableNote = ({ id, reason }: UnreadableItem): string =>
  `${id} cannot be read by this release, and stays as it is: ${reason.replace(/\.?$/, '.')} ` +
  'Run the command with the release that wrote the item, or restore it (docs/backup.md).';
