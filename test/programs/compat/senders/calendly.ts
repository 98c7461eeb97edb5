import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/**
 * https://calendly.stoplight.io/docs/api-docs-v1: version 1 of the API signs nothing; the secret is the id of the hook.
 */
export const invitee = ({ address, secret }: Receiver, event: string, n: number): SentRequest => ({
  url: address,
  headers: { ...JSON_TYPE, 'X-Calendly-Hook-Id': secret },
  body: JSON.stringify({
    event: `invitee.${event}`,
    time: '2026-03-14T19:16:01Z',
    payload: {
      event_type: {
        uuid: 'CCCCCCCCCCCCCCCC',
        kind: 'One-on-One',
        slug: 'event_type_name',
        name: `Interview ${n}`,
      },
      event: { uuid: `BBBBBBBBBBBBBBB${n}`, start_time: '2026-03-14T12:00:00Z', location: '(404) 555-0149' },
      invitee: { uuid: `AAAAAAAAAAAAAAA${n}`, name: 'Joe Doe', email: 'joe.doe@example.com' },
      questions_and_answers: [],
    },
  }),
});
