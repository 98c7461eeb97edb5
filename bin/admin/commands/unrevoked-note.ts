/** A sentence for the operator; empty when no token is left. */
export const unrevokedNote = (count: number): string =>
  count === 0
    ? ''
    : `\nThe tokens of ${count} ${count === 1 ? 'account' : 'accounts'} were not revoked and may still work: end the access at the provider.`;
