import { useEffect, useState } from 'preact/hooks';
import type { Sample } from './sample-store.ts';
import { samples } from './samples.ts';

/** The samples of a source, as they come and go. */
export function useSamples(sourceId: string): readonly Sample[] {
  const [shown, setShown] = useState(() => samples.read(sourceId));
  useEffect(() => {
    const read = (): void => setShown(samples.read(sourceId));
    read();
    return samples.subscribe(read);
  }, [sourceId]);
  return shown;
}
