export interface RunComponentOptions {
  /**
   * Values of props, as for `POST /sources`. An app prop takes the fields of its account: `{ $auth: { api_key: '…' }
   * }`.
   */
  props?: Readonly<Record<string, unknown>>;
  /**
   * Argument of `run`, as the data of `POST /sources/{id}/run`: without one, what the source gets by itself. With an
   * HTTP interface an object without `method` or `headers` is the body of a POST.
   */
  event?: unknown;
  /** `$.service.db` before the run. */
  db?: Readonly<Record<string, unknown>>;
  /** Calls a hook instead of `run`. */
  hook?: 'deploy' | 'activate' | 'deactivate';
  /** Longest time of the run; 60 s otherwise. */
  timeoutMs?: number;
}

export interface ComponentEmit {
  event: unknown;
  id?: string | number | undefined;
  name?: string | undefined;
  summary?: string | undefined;
  ts?: number | undefined;
}

export interface ComponentRun {
  /** New events, oldest first: `dedupe` has dropped those that the run emitted twice. */
  emits: ComponentEmit[];
  logs: { level: string; message: string }[];
  /** Argument of `respond`, as a client would get it. */
  response?: { status: number; headers: Record<string, string>; body: string | Uint8Array };
  /** `$.service.db` after the run. */
  db: Record<string, unknown>;
  /** The error that ended the run, and errors of emits that were refused. */
  errors: { code: string; message: string; stack: string }[];
}
