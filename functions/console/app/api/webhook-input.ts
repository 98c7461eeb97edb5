/** The settings that a request may set. Null clears one. */
export interface WebhookInput {
  url: string;
  name: string | null;
  description: string | null;
  rate_limit: number | null;
  headers: Record<string, string>;
}
