import type { ProviderEntry } from './provider.ts';
import { bitbucket } from './providers/code/bitbucket-provider.ts';
import { github } from './providers/code/github-provider.ts';
import { gitlab } from './providers/code/gitlab-provider.ts';
import { paypal } from './providers/commerce/paypal-provider.ts';
import { quickbooks } from './providers/commerce/quickbooks-provider.ts';
import { shopify } from './providers/commerce/shopify-provider.ts';
import { square } from './providers/commerce/square-provider.ts';
import { stripe } from './providers/commerce/stripe-provider.ts';
import { xero } from './providers/commerce/xero-provider.ts';
import { discord } from './providers/communication/discord-provider.ts';
import { front } from './providers/communication/front-provider.ts';
import { intercom } from './providers/communication/intercom-provider.ts';
import { ringcentral } from './providers/communication/ringcentral-provider.ts';
import { slack } from './providers/communication/slack-provider.ts';
import { webex } from './providers/communication/webex-provider.ts';
import { zendesk } from './providers/communication/zendesk-provider.ts';
import { zoom } from './providers/communication/zoom-provider.ts';
import { hubspot } from './providers/crm/hubspot-provider.ts';
import { mailchimp } from './providers/crm/mailchimp-provider.ts';
import { pipedrive } from './providers/crm/pipedrive-provider.ts';
import { salesforce } from './providers/crm/salesforce-provider.ts';
import { zoho } from './providers/crm/zoho-provider.ts';
import { figma } from './providers/design/figma-provider.ts';
import { miro } from './providers/design/miro-provider.ts';
import { webflow } from './providers/design/webflow-provider.ts';
import { box } from './providers/files/box-provider.ts';
import { docusign } from './providers/files/docusign-provider.ts';
import { dropbox } from './providers/files/dropbox-provider.ts';
import { calendly } from './providers/forms/calendly-provider.ts';
import { eventbrite } from './providers/forms/eventbrite-provider.ts';
import { surveymonkey } from './providers/forms/surveymonkey-provider.ts';
import { typeform } from './providers/forms/typeform-provider.ts';
import { fitbit } from './providers/health/fitbit-provider.ts';
import { strava } from './providers/health/strava-provider.ts';
import { linkedin } from './providers/media/linkedin-provider.ts';
import { reddit } from './providers/media/reddit-provider.ts';
import { spotify } from './providers/media/spotify-provider.ts';
import { twitch } from './providers/media/twitch-provider.ts';
import { twitter } from './providers/media/twitter-provider.ts';
import { google } from './providers/office/google-provider.ts';
import { microsoft } from './providers/office/microsoft-provider.ts';
import { airtable } from './providers/projects/airtable-provider.ts';
import { asana } from './providers/projects/asana-provider.ts';
import { atlassian } from './providers/projects/atlassian-provider.ts';
import { basecamp } from './providers/projects/basecamp-provider.ts';
import { clickup } from './providers/projects/clickup-provider.ts';
import { monday } from './providers/projects/monday-provider.ts';
import { notion } from './providers/projects/notion-provider.ts';
import { podio } from './providers/projects/podio-provider.ts';
import { todoist } from './providers/projects/todoist-provider.ts';

/** The built-in providers. */
export const OAUTH_PROVIDERS: readonly ProviderEntry[] = [
  airtable,
  asana,
  atlassian,
  basecamp,
  bitbucket,
  box,
  calendly,
  clickup,
  discord,
  docusign,
  dropbox,
  eventbrite,
  figma,
  fitbit,
  front,
  github,
  gitlab,
  google,
  hubspot,
  intercom,
  linkedin,
  mailchimp,
  microsoft,
  miro,
  monday,
  notion,
  paypal,
  pipedrive,
  podio,
  quickbooks,
  reddit,
  ringcentral,
  salesforce,
  shopify,
  slack,
  spotify,
  square,
  strava,
  stripe,
  surveymonkey,
  todoist,
  twitch,
  twitter,
  typeform,
  webex,
  webflow,
  xero,
  zendesk,
  zoho,
  zoom,
];

const byName = new Map(OAUTH_PROVIDERS.map((entry) => [entry.name, entry]));
const byApp = new Map(OAUTH_PROVIDERS.flatMap((entry) => Object.keys(entry.apps).map((app) => [app, entry])));

/** The built-in provider of a name. */
export const providerNamed = (name: string): ProviderEntry | undefined => byName.get(name);

/** The built-in provider that the accounts of an app belong to. */
export const providerOfApp = (app: string): ProviderEntry | undefined => byApp.get(app);
