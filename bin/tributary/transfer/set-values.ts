import { suggestion } from '../input/closest.ts';
import type { Session } from '../session/command-session.ts';
import { usageFailure } from '../failures.ts';
import { textOrFile } from '../input/read-input.ts';
import type { Document } from './document.ts';

/** Texts of `--set SOURCE.PROP=VALUE`, by prop, by slug of the source. */
export type SetValues = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Reads the lines of `--set`. A slug has no dot, so the first dot ends it. A source that the document lacks is a
 * mistake.
 */
export async function readSetValues(
  { terminal }: Session,
  { sources }: Document,
  lines: readonly string[],
): Promise<SetValues> {
  const slugs = sources.map(({ slug }) => slug);
  const setValues = new Map<string, Map<string, string>>();
  for (const line of lines) {
    const [, slug = '', prop = '', text = ''] = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(line) ?? [];
    if (slug === '') throw usageFailure('--set must be SOURCE.PROP=VALUE.');
    if (!slugs.includes(slug))
      throw usageFailure(`--set names the source ${slug}, which is not imported.${suggestion(slug, slugs)}`);
    const ofSource = setValues.get(slug) ?? new Map<string, string>();
    setValues.set(slug, ofSource.set(prop, await textOrFile(terminal, text)));
  }
  return setValues;
}
