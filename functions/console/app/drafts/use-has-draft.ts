import { useEffect, useState } from 'preact/hooks';
import { drafts } from './drafts.ts';

/** Whether a source has code that is not saved. */
export function useHasDraft(id: string): boolean {
  const [has, setHas] = useState(() => drafts.has(id));
  useEffect(() => {
    const read = (): void => setHas(drafts.has(id));
    read();
    return drafts.subscribe(read);
  }, [id]);
  return has;
}
