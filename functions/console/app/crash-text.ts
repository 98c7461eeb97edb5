/** The text in the place of a page that failed. */
export const crashText = (requestId: string | undefined): string =>
  requestId === undefined
    ? 'The page met an error and cannot be shown. Reload it, or try another browser.'
    : `The page met an error and cannot be shown. Reload it. The last request to the service was ${requestId}.`;
