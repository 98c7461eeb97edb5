/*
 * The meaning of each setting of a request. The OpenAPI document, the help of the command line and the forms of the
 * console show it.
 */

const TAGS = 'Up to 10 tags, such as team:billing. Lists can be filtered by tag.';

export const WEBHOOK_TEXTS = {
  url: 'The http(s) address that events are delivered to.',
  name: 'A name, by which people and commands find the webhook.',
  description: 'A description for people.',
  active: 'Whether events are delivered; otherwise they are held.',
  headers: 'Headers that every request to the webhook carries, by name.',
  rate_limit: 'The most attempts per second, from 1 to 1,000, tests excepted; unlimited by default.',
  retry_seconds:
    'The seconds before each further attempt of a failed delivery: at most 20 numbers from 1 to 86,400, together at most 7 days; by default ten attempts within 75.6 hours.',
  ordered:
    'Delivers the events of one emitter one at a time, in order: a later one waits for those before it. Off by default.',
  format:
    'The format of the body: event (default), cloudevents (a CloudEvents envelope), or slack, discord or teams (a message for a channel of that app).',
  target:
    'An event bus or a queue of SQS that gets the events instead of requests: its ARN, and for another account that of a role to assume. The URL must name it. By default requests go to the URL.',
  tags: TAGS,
};

export const SOURCE_TEXTS = {
  name: "The name; by default the slug of the component's name.",
  configured_props: 'The values of the props, by name.',
  active: 'Whether the source runs.',
  endpoint:
    'The form of `endpoint_url`: `path` (default), or `origin`, a host of its own, if the service has a wildcard host.',
  tags: TAGS,
};

export const ACCOUNT_TEXTS = {
  app: 'The slug of the app, as in the app props of components.',
  name: "The name, unique among your accounts of the app; at creation the app's slug by default, with a number if it is taken.",
  fields: 'The values that components get as `$auth`, by name: 1 to 50, at most 64 KB together.',
};

export const SUBSCRIPTION_TEXTS = {
  filter:
    'Only events that match this event pattern, as JSON in the syntax of Amazon EventBridge; every event without one.',
};
