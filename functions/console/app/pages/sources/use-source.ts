import { useQuery } from '@tanstack/preact-query';
import { getComponent } from '../../api/component-api.ts';
import { getSource, listSources } from '../../api/source-api.ts';
import type { Source, SourceItem } from '../../api/wire.ts';

const POLL_MS = 10_000;
const STATE_POLL_MS = 3_000;
/** The hooks of a create end within this time. */
const YOUNG_S = 120;

/** A source. */
export const useSource = (id: string) =>
  useQuery({ queryKey: ['source', id], queryFn: () => getSource(id), refetchInterval: POLL_MS });

/** The component of a source. A save makes another one; the one before stays while it is read. */
export const useComponent = (source: Source | undefined) =>
  useQuery({
    queryKey: ['component', source?.component_id],
    queryFn: () => getComponent(source?.component_id ?? ''),
    enabled: source !== undefined,
    placeholderData: (shown) => shown,
  });

export interface SourceState {
  state: SourceItem['state'];
  /** Time of the last error, for a source that is not active. */
  errorMs: number | null;
}

/**
 * The state of a source. Only the list has it, and filtering the list reads every source. So an active source that is
 * older than its hooks can be is taken as `active`, without a request.
 */
export function useSourceState(source: Source | undefined): SourceState | undefined {
  const isPlain = source?.active === true && Date.now() / 1_000 - source.created_at > YOUNG_S;
  const item = useQuery({
    queryKey: ['source-item', source?.id],
    queryFn: async () => (await listSources({ q: source?.id ?? '' })).data.find(({ id }) => id === source?.id) ?? null,
    enabled: source !== undefined && !isPlain,
    refetchInterval: STATE_POLL_MS,
  });
  if (!source) return undefined;
  if (isPlain) return { state: 'active', errorMs: null };
  const { state = source.active ? 'active' : 'disabled', last_error_ms: errorMs = null } = item.data ?? {};
  return { state, errorMs };
}
