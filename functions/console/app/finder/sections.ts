/** The sections of the console: address, name, and the key that leads there after `g`. */
export const SECTIONS = [
  ['/console', 'Overview', 'o'],
  ['/console/sources', 'Sources', 's'],
  ['/console/events', 'Events', 'e'],
  ['/console/webhooks', 'Webhooks', 'w'],
  ['/console/subscriptions', 'Subscriptions', 'u'],
  ['/console/notices', 'Notices', 'n'],
  ['/console/components', 'Components', 'c'],
  ['/console/workflows', 'Workflows', 'f'],
  ['/console/accounts', 'Accounts', 'a'],
  ['/console/me', 'Me', 'm'],
] as const;
