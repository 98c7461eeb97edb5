import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { postRotation } from '../../api/key-api.ts';
import { session } from '../../api/key-session.ts';
import { getUser } from '../../api/user-api.ts';
import type { AccessKey, NewAccessKey } from '../../api/wire.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { useSubmit } from '../../hooks/use-submit.ts';

const OVERLAPS = [
  ['0', 'stops within 60 s'],
  ['3600', 'works for an hour more'],
  ['86400', 'works for a day more'],
  ['604800', 'works for 7 days more'],
] as const;

interface RotateKeyProps {
  apiKey: AccessKey;
  onMade: (made: NewAccessKey) => void;
  onClose: () => void;
}

/** Replaces the secret of a key. This tab goes on with the new one if the key is its own. */
export function RotateKey({ apiKey: { id, name, is_current: isCurrent }, onMade, onClose }: RotateKeyProps) {
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState('0');
  const { submit, isPending, error } = useSubmit(async () => {
    const user = isCurrent ? await getUser() : undefined;
    const { data } = await postRotation(id, Number(overlap));
    if (user) session.signIn(data.api_key, user.data.id);
    onMade(data);
    onClose();
    await queries.invalidateQueries({ queryKey: ['keys'] });
  });
  return (
    <form class="stack" noValidate onSubmit={submit}>
      <p>
        <strong>{name}</strong> gets a new secret, which works at once and is shown once.
        {isCurrent && ' This tab goes on with it.'}
      </p>
      <SelectFilter label="The old secret" value={overlap} onChange={setOverlap} values={OVERLAPS} />
      <FormEnd error={error} isPending={isPending} text="Rotate key" pendingText="Rotating…" onCancel={onClose} />
    </form>
  );
}
