import type { Receiver, SentRequest } from '../sent-request.ts';

interface Watched {
  /** The id that Google gave the watched resource. */
  readonly id: string;
  readonly uri: string;
}

/**
 * https://developers.google.com/workspace/drive/api/guides/push and
 * https://developers.google.com/workspace/calendar/api/guides/push: headers only; the first one is number 1, `sync`.
 * The secret is the id of the channel.
 */
export const notification = (
  { address, secret }: Receiver,
  { id, uri }: Watched,
  { state, number }: { state: 'sync' | 'exists' | 'change'; number: number },
): SentRequest => ({
  url: address,
  headers: {
    'Content-Type': 'application/json; utf-8',
    'Content-Length': '0',
    'X-Goog-Channel-ID': secret,
    'X-Goog-Channel-Expiration': 'Tue, 02 Oct 2096 07:06:40 GMT',
    'X-Goog-Resource-ID': id,
    'X-Goog-Resource-URI': uri,
    'X-Goog-Resource-State': state,
    'X-Goog-Message-Number': String(number),
  },
  body: '',
});
