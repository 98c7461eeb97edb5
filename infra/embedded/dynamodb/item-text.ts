import { decodeAttributes, encodeAttributes } from './attribute-value.ts';
import { type Attributes } from './value.ts';

/** An item on disk is plain JSON if JSON can hold it, else DynamoDB's typed JSON. The first letter names the form. */
const PLAIN = 'j';
const TYPED = 't';

export function itemText(item: Attributes, plain: boolean): string {
  return plain ? PLAIN + JSON.stringify(item) : TYPED + JSON.stringify(encodeAttributes(item));
}

export function parseItem(text: string): Attributes {
  const json = JSON.parse(text.slice(1)) as Record<string, unknown>;
  return text.startsWith(PLAIN) ? (json as Attributes) : decodeAttributes(json);
}
