import { useLocation } from 'preact-iso/router';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWide } from '../hooks/use-wide.ts';

/** The number of filters in the address. Two bounds are one filter, that of the times. */
export function useFilterCount(): number {
  const { query } = useLocation();
  const chosen = [query['q'], query['stream'], query['filter'], query['time'] ?? query['since'] ?? query['until']];
  return chosen.filter((value) => value !== undefined).length;
}

interface FilterBarProps {
  /** The filters, which stand in the address. */
  children: ComponentChildren;
  /** The filters that are set. */
  count: number;
  /** Whether the filters are in rows of their own. */
  hasMany?: boolean;
  actions?: ComponentChildren;
}

/** The filters and the actions of a list. On a narrow screen the filters are behind one button. */
export function FilterBar({ children, count, hasMany = false, actions }: FilterBarProps) {
  const isWide = useWide();
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={hasMany ? 'filters many' : 'filters'}>
      {isWide && children}
      {(!isWide || actions !== undefined) && (
        <div class="actions">
          {!isWide && (
            <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Filters{count > 0 && ` (${count})`}
            </button>
          )}
          {actions}
        </div>
      )}
      {!isWide && isOpen && children}
    </div>
  );
}
