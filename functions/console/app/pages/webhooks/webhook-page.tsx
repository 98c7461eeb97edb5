import { useState } from 'preact/hooks';
import type { Webhook } from '../../api/wire.ts';
import { useWide } from '../../hooks/use-wide.ts';
import { Deliveries } from './deliveries/deliveries.tsx';
import { MissedDeliveries } from './missed-deliveries.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookFrame } from './webhook-frame.tsx';

export const WebhookPage = ({ id = '' }: { id?: string }) => (
  <WebhookFrame id={id}>{(webhook) => <Content webhook={webhook} />}</WebhookFrame>
);

function Content({ webhook }: { webhook: Webhook }) {
  // The button that opened the dialog moves when the webhook works again; the dialog stays.
  const [isRecovering, setRecovering] = useState(false);
  const recover = (): void => setRecovering(true);
  const isWide = useWide();
  return (
    <>
      <MissedDeliveries webhook={webhook} onRecover={recover} />
      {isWide && <WebhookFacts webhook={webhook} />}
      <Deliveries webhook={webhook} onRecover={recover} />
      {/* A phone has no room for both: the deliveries come first. */}
      {!isWide && <WebhookFacts webhook={webhook} />}
      <RecoverDialog webhookId={webhook.id} isOpen={isRecovering} onClose={() => setRecovering(false)} />
    </>
  );
}
