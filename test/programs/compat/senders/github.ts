import { createHmac } from 'node:crypto';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
export const signature = (algorithm: 'sha1' | 'sha256', secret: string, body: string): string =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;

const repository = { id: 1, name: 'Hello-World', full_name: 'octocat/Hello-World', private: false };
const sender = { login: 'octocat', id: 583_231, type: 'User' };

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads; `ping` is the first one of each webhook. */
const PAYLOADS = {
  ping: () => ({
    zen: 'Keep it logically awesome.',
    hook_id: 99,
    hook: { type: 'Repository', id: 99 },
    repository,
    sender,
  }),
  issues: (n: number) => ({
    action: 'opened',
    issue: { id: 444_500_041 + n, number: n, title: `Found a bug ${n}`, state: 'open', user: sender },
    repository,
    sender,
  }),
  star: (n: number) => ({ action: 'created', starred_at: `2026-01-0${n}T15:20:40Z`, repository, sender }),
  label: (n: number) => ({
    action: 'created',
    label: { id: n, name: `:bug: ${n}`, color: 'cceeaa' },
    repository,
    sender,
  }),
};

export function githubEvent({ address, secret }: Receiver, event: keyof typeof PAYLOADS, n: number): SentRequest {
  const body = JSON.stringify(PAYLOADS[event](n));
  return {
    url: address,
    headers: {
      ...JSON_TYPE,
      'User-Agent': 'GitHub-Hookshot/044aadd',
      'X-GitHub-Delivery': `72d3162e-cc78-11e3-81ab-4c9367dc095${n}`,
      'X-GitHub-Event': event,
      'X-GitHub-Hook-ID': '99',
      'X-Hub-Signature': signature('sha1', secret, body),
      'X-Hub-Signature-256': signature('sha256', secret, body),
    },
    body,
  };
}
