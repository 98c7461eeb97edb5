import { useQueryClient } from '@tanstack/preact-query';
import { redeliver } from '../../../api/delivery-api.ts';
import { sentenceOf } from '../../../api/refused-request.ts';
import type { Delivery } from '../../../api/wire.ts';
import { ActionButton } from '../../../components/buttons/action-button.tsx';

interface RedeliverButtonProps {
  webhookId: string;
  deliveries: readonly Delivery[];
  onSent?: (ids: readonly string[]) => void;
  /** The text of the button for a count of deliveries. */
  children: (count: number) => string;
}

/** Sends every one of some deliveries once more. The service refuses to repeat tests. */
export function RedeliverButton({ webhookId, deliveries, onSent, children }: RedeliverButtonProps) {
  const queries = useQueryClient();
  const again = deliveries.filter(({ event_name: stream }) => stream !== '$test');
  async function sendAgain(): Promise<string> {
    const refusals: unknown[] = [];
    for (const { id } of again) await redeliver(webhookId, id).catch((error: unknown) => refusals.push(error));
    await queries.invalidateQueries({ queryKey: ['deliveries', webhookId] });
    if (refusals.length > 0)
      throw new Error(
        `${again.length - refusals.length} of ${again.length} are sent again. ${sentenceOf(refusals[0])}`,
      );
    onSent?.(deliveries.map(({ id }) => id));
    return `${again.length} ${again.length === 1 ? 'delivery is' : 'deliveries are'} sent again.`;
  }
  return (
    <ActionButton act={sendAgain} isDisabled={again.length === 0}>
      {children(again.length)}
    </ActionButton>
  );
}
