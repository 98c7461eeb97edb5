/** An event that a person sends again, with its data as JSON text. */
export interface SentEvent {
  json: string;
  /** The id of its emit, which is the `webhook-id` of its deliveries. */
  emitId: string;
  /** Absent for a test of a webhook. */
  emitterId?: string | undefined;
  eventId?: string | undefined;
  /** Empty: the default stream. */
  stream: string;
}
