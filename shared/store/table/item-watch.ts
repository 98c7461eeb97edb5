import * as z from 'zod';
import { ITEM_CHANGES, type WatchItems } from '../../lib/item-changes.ts';

/** Calls back when the items may have changed. The returned function ends it. */
export type ItemWatch = (items: { pk: string; sk?: string }, options: WatchOptions) => () => void;

interface WatchOptions {
  /** Interval of the callbacks where nothing tells of changes. */
  everyMs: number;
  /** Calls back at the interval everywhere: for what changes with the time. */
  isTimed?: boolean;
  onChange: () => void;
}

const WatchFunction = z.custom<WatchItems>((value) => typeof value === 'function');
const Host = z.object({ [ITEM_CHANGES]: WatchFunction.optional() });

/** The host of the functions may tell of changes, by a property of `process`. Without that, a timer calls back. */
export function itemWatch(host: object, tableName: string): ItemWatch {
  const { [ITEM_CHANGES]: watchItems } = Host.parse({ [ITEM_CHANGES]: Reflect.get(host, ITEM_CHANGES) });
  return (items, { everyMs, isTimed = !watchItems, onChange }) => {
    const stop = watchItems?.({ tableName, ...items }, onChange);
    const timer = isTimed ? setInterval(onChange, everyMs) : undefined;
    return () => {
      stop?.();
      clearInterval(timer);
    };
  };
}
