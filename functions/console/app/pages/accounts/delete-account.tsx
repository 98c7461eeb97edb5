import { useState } from 'preact/hooks';
import { useAccountsChanged } from '../../accounts/use-accounts-changed.ts';
import { deleteAccount } from '../../api/account-api.ts';
import { ApiError } from '../../api/refused-request.ts';
import type { Account } from '../../api/wire.ts';
import { useNotices } from '../../components/notices.tsx';
import { ErrorText } from '../../components/refusal.tsx';
import { useFocusInside } from '../../hooks/use-focus-inside.ts';
import { useSubmit } from '../../hooks/use-submit.ts';

interface DeleteAccountProps {
  account: Account;
  onClose: () => void;
}

/** Asks before it deletes, and asks again when sources use the account. */
export function DeleteAccount({ account: { id, name, app }, onClose }: DeleteAccountProps) {
  const { say } = useNotices();
  const accountsChanged = useAccountsChanged();
  const [force, setForce] = useState(false);
  const { submit, isPending, error } = useSubmit(async () => {
    try {
      await deleteAccount(id, { force });
    } catch (refused) {
      if (refused instanceof ApiError && refused.code === 'account_in_use') setForce(true);
      throw refused;
    }
    onClose();
    await accountsChanged();
    say(`The account ${name} was deleted.`);
  });
  return (
    <form class="stack" onSubmit={submit}>
      <p>
        Its credentials of <code>{app}</code> are lost. A run of a source that still uses it fails with the error{' '}
        <code>account_expired</code>, until the source gets another account.
      </p>
      {error !== undefined && <ErrorText error={error} />}
      <DeleteChoice key={String(force)} force={force} isPending={isPending} onCancel={onClose} />
    </form>
  );
}

interface DeleteChoiceProps {
  force: boolean;
  isPending: boolean;
  onCancel: () => void;
}

/**
 * “Delete anyway” stands elsewhere than “Delete”, and without the focus, so that a double click or a held key does not
 * reach it.
 */
function DeleteChoice({ force, isPending, onCancel }: DeleteChoiceProps) {
  const choice = useFocusInside<HTMLDivElement>();
  return (
    <div class={force ? 'actions' : 'actions end'} ref={choice}>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" class="danger" aria-disabled={isPending}>
        {force ? 'Delete anyway' : 'Delete'}
      </button>
    </div>
  );
}
