import type { ErrorBody } from './wire.ts';

/** A refusal of the API, or a request without a response. Its message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly { path: string; message: string }[];
  readonly requestId: string | undefined;

  constructor(
    status: number,
    {
      error,
      code,
      details = [],
      request_id: requestId,
    }: { error: string; code: string; details?: ErrorBody['details']; request_id?: string },
  ) {
    super(error);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

/** Whether the API refused a request for one field alone. */
export const isRefusalOf = (error: unknown, field: string): boolean =>
  error instanceof ApiError && error.details.length === 1 && error.details[0]?.path === field;

/** One sentence about any error. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'The page met an error that it does not know. Reload it.';

/** A refusal stays one; a busy or unreachable service may answer the next time. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** Whether a read failed in a way that the next one repeats, such as 404. */
export const isRefusal = (error: unknown): boolean => error != null && !isTransient(error);

/** Whether the API found nothing. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** The response of a read; undefined if the API found nothing. */
export const foundOrNone = <Found>(read: Promise<Found>): Promise<Found | undefined> =>
  read.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
