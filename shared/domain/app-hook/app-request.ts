/** A request to the endpoint of a source whose app sends it events. */
export interface AppRequest {
  method: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** The body as it came, which the app signs. */
  content: Buffer | string;
  /** JSON text of the body, of a form that of its fields. */
  text: string;
}

/** Response to the request by which an app checks an address. */
export interface AppResponse {
  contentType: string;
  body: string;
}

export interface AppHook {
  secretField?: string;
  /** The problem of a signature; undefined for a right one. */
  signatureProblem?(request: AppRequest, secret: string, now: number): string | undefined;
  /** The response to a check of the address that the app does not sign; undefined for every other request. */
  unsignedCheck?(request: AppRequest): AppResponse | undefined;
  /** The response to a signed one. */
  signedCheck?(request: AppRequest, secret: string | undefined): AppResponse | undefined;
  /** JSON text of the event; by default that of the body. */
  eventText?(request: AppRequest): string;
  /** Names by which components ask for an event. */
  names?(event: unknown): string[];
}
