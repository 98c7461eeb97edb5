import { useEffect, useState } from 'preact/hooks';
import { timeFormat } from '../../locale.ts';
import { changeOf, relativeTime } from './relative-time.ts';

const DATE_AND_TIME = timeFormat({ dateStyle: 'medium', timeStyle: 'medium' });

/** The longest delay that a timer of a browser takes is 24 days. */
const LONGEST_DELAY_MS = 86_400_000;

/** `4 min ago`; the tooltip has the local date and time, and the ISO time. */
export function Ago({ ms }: { ms: number }) {
  const [now, setNow] = useState(Date.now);
  const { text, changesInMs } = relativeTime(ms, now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.min(changeOf(changesInMs, Date.now()), LONGEST_DELAY_MS));
    return () => clearTimeout(timer);
  }, [now, ms]);
  const date = new Date(ms);
  const iso = date.toISOString();
  return (
    <time dateTime={iso} title={`${DATE_AND_TIME.format(date)} (${iso})`}>
      {text}
    </time>
  );
}

/** A distance, or a dash for no time. */
export const AgoOrDash = ({ ms }: { ms: number | null }) =>
  ms === null ? <span class="muted">–</span> : <Ago ms={ms} />;
