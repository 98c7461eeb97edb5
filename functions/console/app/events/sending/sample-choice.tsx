import { useState } from 'preact/hooks';
import { SelectFilter } from '../../components/select-filter.tsx';
import { indentJson } from '../../json/indent-json.ts';
import { samples } from '../../drafts/samples.ts';
import { useSamples } from '../../drafts/use-samples.ts';

interface SampleChoiceProps {
  sourceId: string;
  /** Called with the JSON text of the chosen sample. */
  onChoose: (json: string) => void;
}

/** The samples of a source, to fill in a form. Nothing without any. */
export function SampleChoice({ sourceId, onChoose }: SampleChoiceProps) {
  const known = useSamples(sourceId);
  const [chosen, setChosen] = useState('');
  if (known.length === 0) return null;
  const choose = (name: string): void => {
    setChosen(name);
    const sample = known.find((each) => each.name === name);
    if (sample) onChoose(indentJson(sample.json));
  };
  return (
    <div class="row">
      <SelectFilter
        label="Sample"
        value={chosen}
        onChange={choose}
        all="Choose…"
        values={known.map(({ name }) => name)}
      />
      {chosen !== '' && (
        <button
          type="button"
          onClick={() => {
            samples.remove(sourceId, chosen);
            setChosen('');
          }}
        >
          Delete sample
        </button>
      )}
    </div>
  );
}
