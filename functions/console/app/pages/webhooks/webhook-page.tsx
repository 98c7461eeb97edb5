import { useState } from 'preact/hooks';
import type { Webhook } from '../../api/wire.ts';
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
  return (
    <>
      <MissedDeliveries webhook={webhook} onRecover={recover} />
      <WebhookFacts webhook={webhook} />
      <Deliveries webhook={webhook} onRecover={recover} />
      <RecoverDialog webhookId={webhook.id} isOpen={isRecovering} onClose={() => setRecovering(false)} />
    </>
  );
}
