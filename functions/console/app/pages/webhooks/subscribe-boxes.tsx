import { Combobox } from '../../choosing/combobox.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useDirectory } from '../../hooks/use-directory.ts';
import { PatternBox, StreamBox } from '../../subscriptions/pattern-boxes.tsx';
import { EVERYTHING, type SubscriptionFields } from '../../subscriptions/subscription-fields.ts';

interface SubscribeBoxesProps {
  fields: SubscriptionFields;
  onChange: (fields: SubscriptionFields) => void;
}

/** The first subscription of a new webhook. Stream and filter follow the choice of an emitter. */
export function SubscribeBoxes({ fields, onChange }: SubscribeBoxesProps) {
  const directory = useDirectory();
  return (
    <Loaded query={directory} rows={1}>
      {({ sources, workflows }) => (
        <>
          <div class="grid thirds">
            <Combobox
              label="Subscribe to"
              value={fields.emitter}
              onChange={(emitter) => onChange({ ...fields, emitter })}
              groups={[
                ['Everything', EVERYTHING],
                ['Sources', sources],
                ['Workflows', workflows],
              ]}
            />
            {fields.emitter !== '' && (
              <StreamBox value={fields.stream} onChange={(stream) => onChange({ ...fields, stream })} />
            )}
          </div>
          {fields.emitter === '' ? (
            <p class="hint">The webhook gets the events of this source or workflow. You can subscribe it later, too.</p>
          ) : (
            <PatternBox fields={fields} onChange={(filter) => onChange({ ...fields, filter })} />
          )}
        </>
      )}
    </Loaded>
  );
}
