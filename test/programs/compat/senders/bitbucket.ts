import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/; the secret is the id of the hook. */
export const repositoryCreated = ({ address, secret }: Receiver, name: string): SentRequest => ({
  url: address,
  headers: {
    ...JSON_TYPE,
    'User-Agent': 'Bitbucket-Webhooks/2.0',
    'X-Event-Key': 'repo:created',
    'X-Hook-UUID': secret,
    'X-Request-UUID': `b8a3ac4f-0f8b-4d8e-9a3d-${name.length}00000000000`,
    'X-Attempt-Number': '1',
  },
  body: JSON.stringify({
    repository: {
      type: 'repository',
      full_name: `acme/${name}`,
      name,
      uuid: '{673a6070-3421-46c9-9d48-90745f7bfe8e}',
      is_private: true,
    },
    actor: { type: 'user', display_name: 'Emma', uuid: '{a54f16da-24e9-4d7f-a3a7-b1ba2cd98aa3}' },
  }),
});
