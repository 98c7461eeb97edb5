import { createHmac } from 'node:crypto';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export function issueCreated({ address, secret }: Receiver, n: number): SentRequest {
  const body = JSON.stringify({
    action: 'created',
    actor: { id: 'sentry', name: 'Sentry', type: 'application' },
    data: {
      issue: {
        id: `117082024${n}`,
        shortId: `IPE-${n}`,
        title: 'Error',
        status: 'unresolved',
        level: 'error',
      },
    },
    installation: { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' },
  });
  return {
    url: address,
    headers: {
      ...JSON_TYPE,
      'Request-ID': `4bfaa4bd-1f0c-4b6f-8f3b-00000000000${n}`,
      'Sentry-Hook-Resource': 'issue',
      'Sentry-Hook-Timestamp': '1767225600',
      'Sentry-Hook-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  };
}
