import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface TabsProps<Name extends string> {
  /** The accessible name of the list of tabs. */
  label: string;
  names: readonly Name[];
  selected: Name;
  onSelect: (name: Name) => void;
  /** The panel of the selected tab. */
  children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs; the arrow keys move between them. */
export function Tabs<Name extends string>({ label, names, selected, onSelect, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (step: number): void => {
    const next = names[(names.indexOf(selected) + step + names.length) % names.length];
    if (next === undefined) return;
    onSelect(next);
    list.current?.querySelectorAll('button')[names.indexOf(next)]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === selected}
            aria-controls={name === selected ? `${id}-panel` : undefined}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
            onKeyDown={(event) => {
              const step = STEPS[event.key];
              if (step === undefined) return;
              event.preventDefault();
              move(step);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`} class="tab-panel">
        {children}
      </div>
    </>
  );
}
