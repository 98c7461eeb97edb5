import { DAY_MS, HOUR_MS } from '../../../../../shared/lib/durations.ts';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { postRecovery } from '../../api/webhook-api.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { Modal } from '../../components/modal.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { countText } from '../../locale.ts';
import { readLastRecovery, startedHere } from './started-recoveries.ts';

/** The service takes at most 14 days; the minute is for clocks that differ. */
const PERIODS = [
  ['1', 'the last hour', HOUR_MS],
  ['24', 'the last day', DAY_MS],
  ['168', 'the last 7 days', 7 * DAY_MS],
  ['336', 'the last 14 days', 14 * DAY_MS - 60_000],
] as const;

interface RecoverDialogProps {
  webhookId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Sends missed deliveries again. */
export const RecoverDialog = ({ isOpen, ...form }: RecoverDialogProps) => (
  <Modal isOpen={isOpen} title="Recover deliveries" onClose={form.onClose}>
    <RecoverForm {...form} />
  </Modal>
);

function RecoverForm({ webhookId: id, onClose }: Omit<RecoverDialogProps, 'isOpen'>) {
  const queries = useQueryClient();
  const [period, setPeriod] = useState('24');
  async function recover(): Promise<string> {
    const [, , ms] = PERIODS.find(([value]) => value === period) ?? PERIODS[0];
    const { data } = await postRecovery(id, Date.now() - ms);
    startedHere.add(id);
    queries.setQueryData(['recovery', id], data);
    return data.found === 0 ? 'There is nothing to send again.' : `${countText(data.found)} deliveries are sent again.`;
  }
  async function showLast(): Promise<string> {
    const last = await readLastRecovery(id);
    if (last === null) return 'Nothing has been recovered yet.';
    startedHere.add(id);
    queries.setQueryData(['recovery', id], last);
    if (last.status === 'running') return 'A recovery is running.';
    return `The last recovery sent ${countText(last.sent)} of ${countText(last.found)}.`;
  }
  return (
    <>
      <p class="hint">
        Sends again, oldest first, what failed, is held or was tried before. What was not tried yet is sent when the
        webhook works.
      </p>
      <SelectFilter
        label="Since"
        value={period}
        onChange={setPeriod}
        values={PERIODS.map(([value, text]) => [value, text])}
      />
      <div class="actions end">
        {/* The dialog closes first: the notice stands behind it. */}
        <ActionButton needs="read" act={() => showLast().finally(onClose)}>
          Show last job
        </ActionButton>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton isMain act={() => recover().finally(onClose)}>
          Recover
        </ActionButton>
      </div>
    </>
  );
}
