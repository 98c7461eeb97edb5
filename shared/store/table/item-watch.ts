import * as z from 'zod';
import { ITEM_CHANGES, type WatchItems } from '../../lib/item-changes.ts';

/** Calls back when the items may have changed. The returned function ends it. */
export type ItemWatch = (items: { pk: string; sk?: string }, options: WatchOptions) => () => void;

interface WatchOptions {
  /** Interval of the callbacks where nothing tells of changes. */
  everyMs: number;
  onChange: () => void;
}

const WatchFunction = z.custom<WatchItems>((value) => typeof value === 'function');
const Host = z.object({ [ITEM_CHANGES]: WatchFunction.optional() });

/** The host of the functions may tell of changes, by a property of `process`. Without that, a timer calls back. */
export function itemWatch(host: object, tableName: string): ItemWatch {
  const { [ITEM_CHANGES]: watchItems } = Host.parse({ [ITEM_CHANGES]: Reflect.get(host, ITEM_CHANGES) });
  if (watchItems) return (items, { onChange }) => watchItems({ tableName, ...items }, onChange);
  return (_items, { everyMs, onChange }) => {
    const timer = setInterval(onChange, everyMs);
    return () => clearInterval(timer);
  };
}
