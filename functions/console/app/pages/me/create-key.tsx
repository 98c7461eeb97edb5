import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { postKey } from '../../api/key-api.ts';
import type { NewAccessKey, Scope } from '../../api/wire.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useFocusInside } from '../../hooks/use-focus-inside.ts';
import { useSubmit } from '../../hooks/use-submit.ts';

export const SCOPE_TEXTS = [
  ['read', 'Read: everything, live streams and secret props included; no values of accounts'],
  ['send', 'Send: run sources with events'],
  ['manage', 'Manage: every change, keys included'],
  ['metrics', 'Metrics: the numbers of the whole service, with a key of the operator'],
] as const satisfies readonly (readonly [Scope, string])[];

const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

interface CreateKeyProps {
  onMade: (made: NewAccessKey) => void;
  onClose: () => void;
}

export function CreateKey({ onMade, onClose }: CreateKeyProps) {
  const queries = useQueryClient();
  const form = useFocusInside<HTMLFormElement>();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [days, setDays] = useState('');
  const { submit, isPending, error } = useSubmit(async () => {
    if (name.trim() === '') throw new Error('Give the key a name.');
    if (scopes.length === 0) throw new Error('Choose at least one scope.');
    const expiry = days === '' ? {} : { expires_at_ms: Date.now() + Number(days) * DAY_MS };
    const { data } = await postKey({ name: name.trim(), scopes: [...scopes], ...expiry });
    onMade(data);
    onClose();
    await queries.invalidateQueries({ queryKey: ['keys'] });
  });
  return (
    <form class="stack" ref={form} noValidate autocomplete="off" onSubmit={submit}>
      <TextField label="Name" hint="The purpose of the key." value={name} onChange={setName} placeholder="Dashboard" />
      <fieldset class="kind-boxes">
        <legend class="label">Scopes</legend>
        {SCOPE_TEXTS.map(([scope, text]) => (
          <label class="choice" key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                setScopes(
                  SCOPE_TEXTS.map(([each]) => each).filter((each) =>
                    each === scope ? checked : scopes.includes(each),
                  ),
                )
              }
            />
            {text}
          </label>
        ))}
      </fieldset>
      <SelectFilter label="Expires" value={days} onChange={setDays} values={EXPIRIES} />
      <FormEnd error={error} isPending={isPending} text="Create key" pendingText="Creating…" onCancel={onClose} />
    </form>
  );
}
