import { useState } from 'preact/hooks';
import { FieldBoxes } from '../../accounts/field-boxes.tsx';
import { fieldsOfRows, rowsOf } from '../../accounts/field-rows.ts';
import { useAccountsChanged } from '../../accounts/use-accounts-changed.ts';
import { useApps } from '../../accounts/use-apps.ts';
import { putAccount } from '../../api/account-api.ts';
import type { Account } from '../../api/wire.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useNotices } from '../../components/notices.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSubmit } from '../../hooks/use-submit.ts';
import { useFocusInside } from '../../hooks/use-focus-inside.ts';

interface EditProps {
  account: Account;
  onClose: () => void;
}

/** Renames an account, and changes single fields of one that was connected by its fields. */
export const EditAccount = (props: EditProps) =>
  props.account.kind === 'oauth' ? <EditForm {...props} names={[]} /> : <EditFields {...props} />;

/** The fields of the account, and those that components read besides. */
const EditFields = ({ account, onClose }: EditProps) => (
  <Loaded query={useApps()}>
    {({ data: apps }) => {
      const read = apps.find(({ app }) => app === account.app)?.fields ?? [];
      const names = [...new Set([...account.field_names, ...read])].sort();
      return <EditForm account={account} names={names} onClose={onClose} />;
    }}
  </Loaded>
);

function EditForm({ account, names, onClose }: EditProps & { names: readonly string[] }) {
  const form = useFocusInside<HTMLFormElement>();
  const { say } = useNotices();
  const accountsChanged = useAccountsChanged();
  const [name, setName] = useState(account.name);
  const [rows, setRows] = useState(() => (names.length === 0 ? [] : rowsOf(names)));
  const { submit, isPending, error } = useSubmit(async () => {
    const fields = fieldsOfRows(rows);
    const changes = {
      name: name.trim() === account.name ? undefined : name.trim(),
      fields: Object.keys(fields).length === 0 ? undefined : fields,
    };
    if (Object.values(changes).some((change) => change !== undefined)) await putAccount(account.id, changes);
    await accountsChanged();
    onClose();
    say('Saved. Runs that start from now on use it.');
  });
  return (
    <form class="stack" ref={form} noValidate autocomplete="off" onSubmit={submit}>
      <TextField label="Name" value={name} onChange={setName} />
      {account.kind === 'fields' && (
        <>
          <p class="hint">Stored values are not shown. A field that you leave empty stays as it is.</p>
          <FieldBoxes rows={rows} onChange={setRows} isOpen stored={account.field_names} />
        </>
      )}
      <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…" onCancel={onClose} />
    </form>
  );
}
