import * as z from 'zod';
import { cutToBytes } from '../../lib/cut.ts';
import type { HeaderList } from '../../lib/header-list.ts';
import { isReservedHeader } from './webhook-headers.ts';

/** Names and values of a response's headers, as an attempt keeps them. */
export const KeptHeaders = z.array(z.tuple([z.string(), z.string()]));
export type KeptHeaders = z.infer<typeof KeptHeaders>;

/** Most bytes of all names and values together. */
export const KEPT_HEADER_BYTES = 1_024;
/** Most bytes of one value; a longer one is cut. */
const VALUE_BYTES = 512;
/** A response may have tens of thousands of headers. */
const LOOKED_AT = 64;

/** Stands in the place of a secret. */
export const MASKED = '••••';

const SECRET_NAME = /authorization|cookie|signature|secret|token|passw|api-?key/i;
/** A shorter value may be part of any text. It is masked where it is the whole value. */
const SHORTEST_SECRET = 8;

/**
 * The headers of a response that are kept: `location` first, then in their order while they fit. A receiver may repeat
 * what it was sent, so values of the webhook's custom headers and of signatures are masked.
 */
export function keptHeaders(
  received: Readonly<Record<string, string | readonly string[] | undefined>>,
  sent: HeaderList,
): KeptHeaders {
  const isSecret = secretTest(sent);
  const kept: KeptHeaders = [];
  let left = KEPT_HEADER_BYTES;
  for (const [name, value] of locationFirst(pairsOf(received)).slice(0, LOOKED_AT)) {
    const shown = SECRET_NAME.test(name) || isSecret(value) ? MASKED : cutValue(value);
    const size = Buffer.byteLength(name) + Buffer.byteLength(shown);
    if (size > left) continue;
    left -= size;
    kept.push([name, shown]);
  }
  return kept;
}

type Pair = readonly [name: string, value: string];

const pairsOf = (headers: Parameters<typeof keptHeaders>[0]): Pair[] =>
  Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((each): Pair => [name, each]));

const isLocation = ([name]: Pair): boolean => name === 'location';

const locationFirst = (pairs: readonly Pair[]): Pair[] => [
  ...pairs.filter(isLocation),
  ...pairs.filter((pair) => !isLocation(pair)),
];

function cutValue(value: string): string {
  const start = cutToBytes(value, VALUE_BYTES);
  return start === value ? value : `${start}…`;
}

/**
 * Tells whether a text has a secret of a request: a value of the webhook's custom headers, a word of one, or a
 * signature.
 */
function secretTest(sent: HeaderList): (value: string) => boolean {
  const values = sent.filter((_, at) => at % 2 === 1 && isSecretHeader(sent[at - 1] ?? ''));
  const words = values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((word) => word.length >= SHORTEST_SECRET);
  return (value) => values.includes(value) || words.some((word) => value.includes(word));
}

/** The service sets the reserved ones, and of them only the signatures are secret. */
const isSecretHeader = (name: string): boolean => !isReservedHeader(name) || name === 'webhook-signature';
