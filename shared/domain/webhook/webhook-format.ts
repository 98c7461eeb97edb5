/** Apps for chats, which get the text of a notice as a message. */
export const CHAT_APPS = ['slack', 'discord', 'teams'] as const;
export type ChatApp = (typeof CHAT_APPS)[number];

/** Forms of the body that a webhook receives. */
export const WEBHOOK_FORMATS = ['event', 'cloudevents', ...CHAT_APPS] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The names of formats for people. */
export const FORMAT_NAMES: Readonly<Record<WebhookFormat, string>> = {
  event: 'Event',
  cloudevents: 'CloudEvents',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
};

/** Section 3 of https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md. */
export const contentTypeOf = (format: WebhookFormat): string =>
  format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';

/**
 * Addresses of the apps' webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.discord.com/developers/resources/webhook#execute-webhook, and workflows of Teams,
 * https://learn.microsoft.com/power-automate/oauth-authentication.
 */
const ADDRESSES: Readonly<Record<ChatApp, RegExp>> = {
  slack: /^hooks\.slack(?:-gov)?\.com\//,
  discord: /^(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\//,
  teams: /^[a-z0-9.-]+\.(?:logic\.azure\.com|api\.powerplatform\.com)\//,
};

/** The app to whose channel an address leads. */
export function appOfUrl(url: string): ChatApp | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, pathname } = new URL(url);
  return protocol === 'https:' ? CHAT_APPS.find((app) => ADDRESSES[app].test(hostname + pathname)) : undefined;
}
