import { useEffect, useState } from 'preact/hooks';

/** Whether a media query applies now. */
export function useMedia(query: string): boolean {
  const [applies, setApplies] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = (): void => setApplies(list.matches);
    changed();
    list.addEventListener('change', changed);
    return () => list.removeEventListener('change', changed);
  }, [query]);
  return applies;
}
