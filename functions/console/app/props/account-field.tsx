import { useQuery } from '@tanstack/preact-query';
import { useId, useRef } from 'preact/hooks';
import { Allowed } from '../api/rights.tsx';
import { AccountStatus } from '../accounts/account-status.tsx';
import { useConnect } from '../accounts/connect-provider.tsx';
import { ReconnectButton } from '../accounts/reconnect-button.tsx';
import { accountsOfApp } from '../api/account-api.ts';
import { sentenceOf } from '../api/refused-request.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './field-props.ts';

/** The connected account of an app. */
export function AccountField({ field, value, problem, onState }: FieldProps) {
  const id = useId();
  const connect = useConnect();
  const { app = '' } = field;
  const { data, error } = useQuery({ queryKey: ['accounts', { app }], queryFn: () => accountsOfApp(app) });
  const accounts = data ?? [];
  const chosenId = accountOf(value);
  const chosen = accounts.find((each) => each.id === chosenId);
  const choose = (account: string): void =>
    onState({ value: account === '' ? undefined : { authProvisionId: account } });
  // The dialog ends later, perhaps after another change of the form.
  const latest = useRef(choose);
  latest.current = choose;
  return (
    <FieldFrame id={id} field={field} problem={problem} hint={hintOf(app, data, error)}>
      <div class="with-button">
        <select
          id={id}
          value={chosenId}
          disabled={field.isDisabled}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">No account</option>
          {chosenId !== '' && !chosen && <option value={chosenId}>{data ? `${chosenId} (deleted)` : chosenId}</option>}
          {accounts.map(({ id: account, name }) => (
            <option key={account} value={account}>
              {name}
            </option>
          ))}
        </select>
        <Allowed>
          <button
            type="button"
            disabled={field.isDisabled}
            onClick={() => connect({ app, onConnected: (account) => latest.current(account.id) })}
          >
            Connect…
          </button>
        </Allowed>
      </div>
      {chosen && (
        <div class="row">
          <AccountStatus account={chosen} />
          {chosen.status === 'needs_reconnect' && <ReconnectButton account={chosen} />}
        </div>
      )}
    </FieldFrame>
  );
}

function hintOf(app: string, accounts: readonly unknown[] | undefined, error: unknown): string | undefined {
  if (error != null) return `The accounts cannot be read: ${sentenceOf(error)}`;
  return accounts?.length === 0 ? `There is no account of ${app} yet.` : undefined;
}

const accountOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'authProvisionId' in value ? String(value.authProvisionId) : '';
