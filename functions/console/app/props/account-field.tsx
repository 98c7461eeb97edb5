import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { listAccounts } from '../api/user-api.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './field-props.ts';

/** The connected account of an app. */
export function AccountField({ field, value, problem, onState }: FieldProps) {
  const id = useId();
  const { app = '' } = field;
  const accounts = useQuery({ queryKey: ['accounts', app], queryFn: () => listAccounts(app) });
  const found = accounts.data?.data ?? [];
  const hint =
    accounts.isSuccess && found.length === 0
      ? `There is no account of ${app}. The operator of the service connects accounts.`
      : undefined;
  return (
    <FieldFrame id={id} field={field} problem={problem} hint={hint}>
      <select
        id={id}
        value={accountOf(value)}
        disabled={field.isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { value: account } }) => {
          onState({ value: account === '' ? undefined : { authProvisionId: account } });
        }}
      >
        <option value="">No account</option>
        {found.map(({ id: account, name }) => (
          <option key={account} value={account}>
            {name}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

const accountOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'authProvisionId' in value
    ? String(value.authProvisionId)
    : '';
