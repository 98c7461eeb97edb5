interface WatchedItems {
  readonly tableName: string;
  readonly pk: string;
  /** Without it, every item of the partition. */
  readonly sk?: string;
}

/** Calls back after each change of the items. The returned function ends it. */
export type WatchItems = (items: WatchedItems, onChange: () => void) => () => void;

/** The property of `process` with a {@link WatchItems}, where the host of the functions knows of changes. */
export const ITEM_CHANGES = Symbol.for('tributary.item.changes');
