import { useQuery } from '@tanstack/preact-query';
import { listSubscriptions } from '../../api/subscription-api.ts';

interface StreamSelectProps {
  sourceId: string;
  value: string;
  onChange: (value: string) => void;
}

const OWN = ['$errors', '$logs'];

/** The streams of a source: its own, those that listeners follow, and the one of the address. */
export function StreamSelect({ sourceId, value, onChange }: StreamSelectProps) {
  const subscriptions = useQuery({ queryKey: ['subscriptions'], queryFn: listSubscriptions });
  const followed = (subscriptions.data?.data ?? [])
    .filter(({ emitter_id: emitter }) => emitter === sourceId || emitter === 'dc_*')
    .map(({ event_name: name }) => name);
  const streams = [...new Set([...OWN, ...followed, value])].filter((name) => name !== '' && name !== 'default');
  return (
    <label class="field short">
      <span class="label">Stream</span>
      <select value={value === 'default' ? '' : value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">default</option>
        {streams.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
