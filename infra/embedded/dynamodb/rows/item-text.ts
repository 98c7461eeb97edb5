import { type DiskValue, valueWithHead } from '../../disk/disk-value.ts';
import { decodeAttributes, encodeAttributes } from '../values/attribute-value.ts';
import type { Attributes } from '../values/value.ts';

/** An item on disk is plain JSON if JSON can hold it, else DynamoDB's typed JSON. The first letter names the form. */
const PLAIN = 'j';
const TYPED = 't';

/** The text of an item for the disk. */
export const itemValue = (item: Attributes, plain: boolean): DiskValue =>
  plain ? valueWithHead(PLAIN, JSON.stringify(item)) : valueWithHead(TYPED, JSON.stringify(encodeAttributes(item)));

export function parseItem(text: string): Attributes {
  const json = JSON.parse(text.slice(1)) as Record<string, unknown>;
  return text.startsWith(PLAIN) ? (json as Attributes) : decodeAttributes(json);
}
