import { useMemo } from 'preact/hooks';
import { type Sample } from '../drafts/sample-store.ts';
import { useSamples } from '../drafts/use-samples.ts';
import { acceptedSamples } from './accepted-samples.ts';

interface SamplePreviewProps {
  sourceId: string;
  /** The JSON text of a pattern, or nothing. */
  filter: string;
}

/** The samples of a source that a filter accepts. Nothing without samples or filter. */
export function SamplePreview({ sourceId, filter }: SamplePreviewProps) {
  const samples = useSamples(sourceId);
  const accepted = useMemo(() => acceptedOf(samples, filter), [samples, filter]);
  if (accepted === undefined) return null;
  const names = accepted.length === 0 ? '' : `: ${accepted.join(', ')}`;
  return <p>{`The filter accepts ${accepted.length} of your ${samples.length} samples${names}.`}</p>;
}

function acceptedOf(samples: readonly Sample[], filter: string): readonly string[] | undefined {
  if (filter === '' || samples.length === 0) return undefined;
  try {
    return acceptedSamples(samples, filter);
  } catch {
    // Another program wrote a text that is no JSON.
    return undefined;
  }
}
