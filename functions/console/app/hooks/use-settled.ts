import { useEffect, useState } from 'preact/hooks';

/**
 * A value that follows another one when that has not changed for a time. Objects count as changed when their JSON does.
 */
export function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
