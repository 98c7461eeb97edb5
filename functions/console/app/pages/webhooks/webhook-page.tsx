import { Deliveries } from './deliveries/deliveries.tsx';
import { Recover } from './recover.tsx';
import { Snippets } from './snippets.tsx';
import { WebhookCharts } from './webhook-charts.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookFrame } from './webhook-frame.tsx';

const LIST_ID = 'deliveries';

export const WebhookPage = ({ id = '' }: { id?: string }) => (
  <WebhookFrame id={id}>
    {(webhook) => (
      <>
        <WebhookFacts webhook={webhook} />
        <Recover webhook={webhook} />
        <WebhookCharts webhook={webhook} listId={LIST_ID} />
        <Deliveries webhookId={id} headingId={LIST_ID} />
        <Snippets />
      </>
    )}
  </WebhookFrame>
);
