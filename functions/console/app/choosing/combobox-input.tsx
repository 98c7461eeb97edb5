import { Options } from './options.tsx';
import { useCombobox } from './use-combobox.ts';
import { countText } from '../locale.ts';
import { type ChoiceGroup, MAX_SHOWN_CHOICES } from './found-choices.ts';

export interface ComboboxInputProps {
  id: string;
  /** The accessible name of the list. The text box has a label of its own. */
  label: string;
  /** Empty: none. */
  value: string;
  onChange: (id: string) => void;
  groups: readonly ChoiceGroup[];
  placeholder?: string;
  onFocus?: () => void;
  isDisabled?: boolean;
  /** The id of a description. */
  describedBy?: string;
  isInvalid?: boolean;
}

/** A choice among many, found by typing. Deleting the text chooses none. */
export function ComboboxInput({
  id,
  label,
  value,
  onChange,
  groups,
  placeholder = 'Choose…',
  onFocus,
  isDisabled,
  describedBy,
  isInvalid,
}: ComboboxInputProps) {
  const { box, shown, found, options, isOpen, open, type, choose, leave, onKeyDown, active } = useCombobox({
    value,
    onChange,
    groups,
  });

  return (
    <div class="combobox">
      <input
        id={id}
        ref={box}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen && active.option ? `${id}-list` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        disabled={isDisabled}
        aria-activedescendant={isOpen && active.option ? `${id}-${active.index}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={shown}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onMouseDown={open}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
          onFocus?.();
        }}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {isOpen && (
        <div
          class="options"
          // The text box keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.length === 0 ? (
            <p class="hint" role="status">
              Nothing matches.
            </p>
          ) : (
            <Options
              id={id}
              label={label}
              groups={found.groups}
              index={active.index}
              value={value}
              onPoint={active.setIndex}
              onChoose={choose}
            />
          )}
          {found.hidden > 0 && (
            <p class="hint">
              {countText(found.hidden)} more than these {MAX_SHOWN_CHOICES}: type a part of the name or id.
            </p>
          )}
        </div>
      )}
    </div>
  );
}
