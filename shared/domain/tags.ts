import * as z from 'zod';
import { hasAtMost } from '../lib/cut.ts';
import { LONGEST } from './text.ts';

const MAX_TAGS = 10;

const CHARACTERS = /^[\p{L}\p{M}\p{N}\-_.:/ ]*$/u;

/** Tags are compared as given, without the spaces around them. */
export const Tag = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine((text) => hasAtMost(text, LONGEST.tag), `must have at most ${LONGEST.tag} characters`)
  .refine((text) => CHARACTERS.test(text), 'must have only letters, digits, spaces and the characters -_.:/')
  .meta({ maxLength: LONGEST.tag });

export const Tags = z
  .array(Tag)
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .refine((tags) => new Set(tags).size === tags.length, 'must not have a tag twice');
