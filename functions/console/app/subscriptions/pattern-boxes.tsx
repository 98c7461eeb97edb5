import { SUBSCRIPTION_TEXTS } from '../../../../shared/domain/setting-texts.ts';
import { OperatorsLink } from '../components/help/guide-link.tsx';
import { TextField } from '../components/text-field.tsx';
import { FilterPreview } from './filter-preview.tsx';
import { STREAMS, type SubscriptionFields } from './subscription-fields.ts';

interface StreamBoxProps {
  value: string;
  onChange: (stream: string) => void;
  suggestions?: readonly string[];
}

export const StreamBox = ({ value, onChange, suggestions = STREAMS }: StreamBoxProps) => (
  <TextField
    label="Stream"
    isOptional
    value={value}
    onChange={onChange}
    placeholder="default"
    suggestions={suggestions}
  />
);

interface PatternBoxProps {
  fields: SubscriptionFields;
  onChange: (filter: string) => void;
}

/** The filter of a subscription, with the last events that it accepts. */
export const PatternBox = ({ fields: { emitter, stream, filter }, onChange }: PatternBoxProps) => (
  <>
    <TextField
      label="Filter"
      isOptional
      isCode
      isLong
      value={filter}
      onChange={onChange}
      placeholder='{"status": ["paid"]}'
      hint={SUBSCRIPTION_TEXTS.filter}
      more={<OperatorsLink />}
    />
    <FilterPreview emitterId={emitter} stream={stream.trim()} filter={filter.trim()} onChange={onChange} />
  </>
);
