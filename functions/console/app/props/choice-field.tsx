import { useId, useState } from 'preact/hooks';
import { isSame } from '../../../../shared/domain/component/prop-value.ts';
import { sentenceOf } from '../api/refused-request.ts';
import { ComboboxInput } from '../choosing/combobox-input.tsx';
import { FieldFrame } from './field-frame.tsx';
import { type Option, withoutLabel } from './prop-schema.ts';
import type { FieldProps } from './field-props.ts';
import { TypedField } from './typed-field.tsx';
import { useOptions } from './use-options.ts';

/** A longer list of options is searched. */
const MAX_SELECT_OPTIONS = 20;

const choiceOf = ({ label, value }: Option, index: number) => ({
  id: String(index),
  name: label,
  search: typeof value === 'string' ? value : '',
});

type ChoiceFieldProps = FieldProps & { componentId: string; values: Record<string, unknown> };

/** A prop with options, which stand in the component or come from an API through its code. */
export function ChoiceField({ componentId, values, ...props }: ChoiceFieldProps) {
  const { field, value, problem, onState } = props;
  const id = useId();
  const [search, setSearch] = useState('');
  const { options, error, isLoading, more } = useOptions({ componentId, field, values, search });
  // Without its options, the value can be typed.
  if (error != null)
    return (
      <>
        <TypedField {...props} />
        <p class="hint">The options cannot be read: {sentenceOf(error)}</p>
      </>
    );
  const storedOf = ({ label, value: chosen }: Option): unknown =>
    field.keepsLabel ? { __lv: { label, value: chosen } } : chosen;
  const all = withCurrent(options, value);
  const isList = field.type.endsWith('[]');
  const chosen = isList && Array.isArray(value) ? value.map(withoutLabel) : [withoutLabel(value)];
  const isChosen = (option: Option): boolean => chosen.some((each) => isSame(option.value, each));
  const isSearched = !isList && all.length > MAX_SELECT_OPTIONS;
  const chosenAt = all.findIndex(isChosen);
  const hint = isLoading ? 'Loading the options…' : all.length === 0 ? 'There are no options.' : undefined;
  return (
    <FieldFrame id={id} field={field} problem={problem} hint={hint}>
      {field.isSearched && (
        <input
          type="text"
          aria-label={`Search the options of ${field.label}`}
          placeholder="Search the options"
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {isSearched ? (
        <ComboboxInput
          id={id}
          label={field.label}
          value={chosenAt === -1 ? '' : String(chosenAt)}
          groups={[['Options', all.map(choiceOf)]]}
          placeholder={field.isOptional ? 'None' : 'Choose…'}
          isDisabled={field.isDisabled}
          describedBy={`${id}-hint`}
          isInvalid={problem !== undefined}
          onChange={(index) => {
            const picked = all[Number(index)];
            onState({ value: index === '' || !picked ? undefined : storedOf(picked) });
          }}
        />
      ) : (
        <select
          id={id}
          multiple={isList}
          size={isList ? Math.min(8, Math.max(3, all.length)) : undefined}
          disabled={field.isDisabled}
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== undefined}
          onChange={({ currentTarget }) => {
            const picked = [...currentTarget.selectedOptions].flatMap((each) => all[Number(each.value)] ?? []);
            const [first] = picked;
            if (isList) onState({ value: picked.map(storedOf) });
            else onState({ value: first && storedOf(first) });
          }}
        >
          {!isList && <option value="">{field.isOptional ? 'None' : 'Choose…'}</option>}
          {all.map((option, n) => (
            <option key={n} value={n} selected={isChosen(option)}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {more && (
        <button type="button" onClick={more}>
          More options
        </button>
      )}
    </FieldFrame>
  );
}

/** The options, and values of the field that are no option. */
function withCurrent(options: readonly Option[], value: unknown): Option[] {
  const current = (Array.isArray(value) ? value : [value])
    .map(withoutLabel)
    .filter((each) => each !== undefined && each !== null && !options.some((option) => isSame(option.value, each)));
  return [
    ...options,
    ...current.map((each) => ({
      label: typeof each === 'string' ? each : JSON.stringify(each),
      value: each,
    })),
  ];
}
