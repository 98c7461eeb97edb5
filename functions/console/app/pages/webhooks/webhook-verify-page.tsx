import { Snippets } from './snippets.tsx';
import { WebhookFrame } from './webhook-frame.tsx';

export const WebhookVerifyPage = ({ id = '' }: { id?: string }) => (
  <WebhookFrame id={id}>{() => <Snippets />}</WebhookFrame>
);
