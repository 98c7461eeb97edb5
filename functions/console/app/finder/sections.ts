/** The sections of the console, by their addresses. */
export const SECTIONS = [
  ['/console', 'Overview'],
  ['/console/sources', 'Sources'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/subscriptions', 'Subscriptions'],
  ['/console/components', 'Components'],
  ['/console/workflows', 'Workflows'],
  ['/console/accounts', 'Accounts'],
  ['/console/me', 'Me'],
] as const;
