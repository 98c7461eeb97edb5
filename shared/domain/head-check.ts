/*
 * A gateway that gets a body slowly may ask a function about the headers first. The function makes its response without
 * the body, or says that it wants it. API Gateway reads bodies itself and never asks.
 */

/** A part of the gateway's event. A client cannot set it. */
export interface HeadCheck {
  /** True if the body has not come yet. */
  isHeadCheck?: boolean;
}

/** The response of a function that wants the body: that of HTTP for the same purpose, 100 Continue. */
export const WANTS_BODY = { statusCode: 100 } as const;
