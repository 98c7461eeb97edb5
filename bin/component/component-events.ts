/** The event of a request to the source's endpoint. */
export interface HttpEvent {
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  url: string;
  client_ip: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  bodyRaw?: string;
  /** An object or array if the text is one in JSON, or the fields of a form; else text. */
  body?: unknown;
  isBase64Encoded?: boolean;
}

/** The event of a timer. */
export interface TimerEvent {
  /** Epoch seconds. */
  timestamp: number;
  interval_seconds?: number;
  cron?: string;
}
