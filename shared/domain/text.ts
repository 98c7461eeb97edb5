import * as z from 'zod';
import { hasAtMost } from '../lib/cut.ts';

/** A lone surrogate has no UTF-8 encoding. */
const LONE_SURROGATE = /\p{Surrogate}/u;
export const isWellFormed = (text: string): boolean => !LONE_SURROGATE.test(text);

/** User input: well-formed, without NUL, at most `longest` characters. */
export const plainText = (longest: number) =>
  z
    .string()
    .refine((text) => hasAtMost(text, longest), `must have at most ${longest} characters`)
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character')
    .refine(isWellFormed, 'must not contain half of a surrogate pair')
    .meta({ maxLength: longest });

export const LONGEST = {
  name: 255,
  description: 1_024,
  url: 2_048,
  eventName: 128,
  cursor: 512,
  search: 255,
  path: 255,
  tag: 40,
} as const;

export const Name = plainText(LONGEST.name);
export const Description = plainText(LONGEST.description);

/** A stream name in a request. An absent name, an empty name and `default` are the same stream. */
export const EventName = plainText(LONGEST.eventName)
  // oxlint-disable-next-line no-control-regex -- control characters are what this refuses
  .refine((text) => !/[\u0000-\u001f\u007f-\u009f]/.test(text), 'must not contain control characters');
