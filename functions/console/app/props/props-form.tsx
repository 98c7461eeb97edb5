import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Markdown } from '../markdown/markdown.tsx';
import { AccountField } from './account-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import type { FieldProps } from './field-props.ts';
import { FlagField } from './flag-field.tsx';
import type { FieldState, FormState } from './prop-form.ts';
import { ownMember, valuesOf } from './prop-form.ts';
import type { FieldDefinition } from './prop-schema.ts';
import { TimerField } from './timer-field.tsx';
import { TypedField } from './typed-field.tsx';

interface PropsFormProps {
  componentId: string;
  fields: readonly FieldDefinition[];
  stored?: Readonly<Record<string, unknown>>;
  state: FormState;
  onChange: (state: FormState) => void;
  /** A prop that decides about other props has a new value. */
  onReload: (values: Record<string, unknown>) => void;
  problems: ReadonlyMap<string, string>;
  /** Whether the keyboard goes to the first of the problems. */
  goesToProblem: boolean;
}

/** A labelled field for each prop of a component. */
export function PropsForm({
  componentId,
  fields,
  stored = {},
  state,
  onChange,
  onReload,
  problems,
  goesToProblem,
}: PropsFormProps) {
  const values = valuesOf(fields, state, stored);
  // Remote options depend on other values. They are requested when a field loses the focus, not at each key.
  const [settled, setSettled] = useState(values);
  const settle = (): void => {
    if (JSON.stringify(settled) !== JSON.stringify(values)) setSettled(values);
  };
  const set = (field: FieldDefinition, own: FieldState): void => {
    const next = new Map(state).set(field.name, own);
    onChange(next);
    if (field.reloads && 'value' in own) onReload(valuesOf(fields, next, stored));
  };
  const form = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (goesToProblem && problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return (
    <div class="stack props" ref={form} onFocusOut={settle} onChange={settle}>
      {fields.map((field) => (
        <PropField
          key={field.name}
          componentId={componentId}
          field={field}
          value={ownMember(values, field.name) ?? field.defaultValue}
          isStored={ownMember(stored, field.name) !== undefined && !state.has(field.name)}
          values={settled}
          problem={problems.get(field.name)}
          onState={(own) => set(field, own)}
        />
      ))}
    </div>
  );
}

type PropFieldProps = FieldProps & { componentId: string; values: Record<string, unknown> };

function PropField({ componentId, values, ...props }: PropFieldProps) {
  const { type, content, description, options, hasRemoteOptions } = props.field;
  if (type === 'alert')
    return (
      <div class="advice">
        <Markdown text={content ?? description ?? ''} />
      </div>
    );
  if (type === 'app') return <AccountField {...props} />;
  if (type === 'boolean') return <FlagField {...props} />;
  if (type === '$.interface.timer') return <TimerField {...props} />;
  if (options !== undefined || hasRemoteOptions)
    return <ChoiceField {...props} componentId={componentId} values={values} />;
  return <TypedField {...props} />;
}
