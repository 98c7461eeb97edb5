import { useState } from 'preact/hooks';
import { ACCOUNT_TEXTS } from '../../../../shared/domain/setting-texts.ts';
import { createAccount } from '../api/account-api.ts';
import { FormEnd } from '../components/form-end.tsx';
import { TextField } from '../components/text-field.tsx';
import { useFocusInside } from '../hooks/use-focus-inside.ts';
import { useSubmit } from '../hooks/use-submit.ts';
import type { AppFormProps } from './app-form-props.ts';
import { FieldBoxes } from './field-boxes.tsx';
import { fieldsOfRows, rowsOf } from './field-rows.ts';

/** Connects an account by the fields that components read. */
export function FieldsForm({ app: { app, fields: names }, onConnected, onCancel }: AppFormProps) {
  const form = useFocusInside<HTMLFormElement>();
  const [name, setName] = useState('');
  const [rows, setRows] = useState(rowsOf(names));
  const { submit, isPending, error } = useSubmit(async () => {
    const fields = fieldsOfRows(rows);
    if (Object.keys(fields).length === 0) throw new Error('Give at least one field a value.');
    const { data } = await createAccount({ app, name: name.trim() || undefined, fields });
    await onConnected(data);
  });
  return (
    <form class="stack" ref={form} noValidate autocomplete="off" onSubmit={submit}>
      <p class="hint">
        {names.length === 0
          ? `The code of no component names a field of ${app}. Name those that it needs.`
          : 'These are the fields that components read. They are kept encrypted, and never shown again.'}
      </p>
      <FieldBoxes rows={rows} onChange={setRows} isOpen={names.length === 0} />
      <TextField label="Name" hint={ACCOUNT_TEXTS.name} isOptional value={name} onChange={setName} placeholder={app} />
      <FormEnd error={error} isPending={isPending} text="Connect" pendingText="Connecting…" onCancel={onCancel} />
    </form>
  );
}
