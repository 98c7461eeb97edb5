/** A request as its vendor sends it. */
export interface SentRequest {
  readonly url: string;
  /** Default: POST. */
  readonly method?: 'HEAD';
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The knowledge of a vendor about one receiver. */
export interface Receiver {
  /** The address that the receiver registered. */
  readonly address: string;
  /** The value that proves the sender: a shared secret, a token, or the id that the vendor gave the registration. */
  readonly secret: string;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
