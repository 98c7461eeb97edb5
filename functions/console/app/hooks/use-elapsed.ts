import { useEffect, useState } from 'preact/hooks';

/** Whether a condition began more than a time ago. */
export function useElapsed(isOn: boolean, ms: number): boolean {
  const [hasElapsed, setElapsed] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setElapsed(true), ms);
    return () => clearTimeout(timer);
  }, [isOn, ms]);
  return hasElapsed;
}
