import { useEffect, useState } from 'preact/hooks';

/** Below it, rows of tables are stacked, and filters are folded. The style sheets have the same width. */
const wide = (): MediaQueryList => matchMedia('(min-width: 48rem)');

/** Whether the window has room for tables. */
export function useWide(): boolean {
  const [isWide, setWide] = useState(() => wide().matches);
  useEffect(() => {
    const list = wide();
    const changed = (): void => setWide(list.matches);
    changed();
    list.addEventListener('change', changed);
    return () => list.removeEventListener('change', changed);
  }, []);
  return isWide;
}
