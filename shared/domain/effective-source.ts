import type { Source, SourceState } from './source.ts';

/** How a source answers to `active`: what has not failed yet is. */
const ACTIVE: ReadonlySet<SourceState> = new Set(['creating', 'activating', 'active']);
export const isActive = ({ state }: Pick<Source, 'state'>): boolean => ACTIVE.has(state);

/**
 * The source as it takes triggers at this moment; undefined while it takes none. While `activate` runs that is what is being activated,
 * whatever it was before: providers check an address before the hook has ended.
 */
export function effectiveSource(source: Source): Source | undefined {
  const { state, pending } = source;
  if (state === 'deleting') return undefined;
  if (pending?.hook === 'activate') {
    const { configuration, traits } = pending;
    return { ...source, configuration, traits };
  }
  return isActive(source) ? source : undefined;
}
