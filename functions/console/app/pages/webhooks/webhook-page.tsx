import { Deliveries } from './deliveries/deliveries.tsx';
import { Recover } from './recover.tsx';
import { Snippets } from './snippets.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookFrame } from './webhook-frame.tsx';

export const WebhookPage = ({ id = '' }: { id?: string }) => (
  <WebhookFrame id={id}>
    {(webhook) => (
      <>
        <WebhookFacts webhook={webhook} />
        <Recover webhook={webhook} />
        <Deliveries webhookId={id} />
        <Snippets />
      </>
    )}
  </WebhookFrame>
);
