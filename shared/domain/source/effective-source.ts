import type { Source, SourceState } from './source.ts';

/** States shown as `active: true`. */
const ACTIVE: ReadonlySet<SourceState> = new Set(['creating', 'activating', 'active']);
export const isActive = ({ state }: Pick<Source, 'state'>): boolean => ACTIVE.has(state);

/**
 * The source with the configuration that triggers use now; undefined when it accepts no triggers: an update that
 * disables it does so immediately, and not when it is executed. While the `activate` hook runs, this is already the
 * pending configuration, because providers call a new endpoint before the hook has ended.
 */
export function effectiveSource(source: Source): Source | undefined {
  const { state, pending } = source;
  if (state === 'deleting' || pending?.configuration.active === false) return undefined;
  if (pending?.hook === 'activate') {
    const { configuration, traits } = pending;
    return { ...source, configuration, traits };
  }
  return isActive(source) ? source : undefined;
}
