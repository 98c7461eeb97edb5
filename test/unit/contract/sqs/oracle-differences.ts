export interface Difference {
  readonly promise: string;
  readonly oracle: string;
  readonly settledBy: string;
}

const api = (page: string) =>
  `https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/${page}.html`;
const guide = (page: string) =>
  `https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/${page}.html`;
const longId = 'x'.repeat(81);

/**
 * Where fauxqs 1.9.2 answers differently from the contract, and what settles it. It also gives errors that have no
 * model (InvalidParameterValue, MissingParameter) the prefix `AWS.SimpleQueueService.`, which the contract takes off.
 */
export const oracleDifferences: readonly Difference[] = [
  {
    promise: 'takes every character AWS documents, and gives it back',
    oracle: 'refuses #x10000 to #x10FFFF',
    settledBy: api('API_SendMessage'),
  },
  { promise: 'refuses a delay of 901 s', oracle: 'takes any delay', settledBy: api('API_SendMessage') },
  { promise: 'refuses a negative delay', oracle: 'takes any delay', settledBy: api('API_SendMessage') },
  {
    promise: 'takes a message group, for fairness, of up to 128 characters',
    oracle: 'drops the group on a standard queue',
    settledBy: guide('sqs-fair-queues'),
  },
  {
    promise: 'refuses a message group of 129 characters',
    oracle: 'does not look at it',
    settledBy: api('API_SendMessage'),
  },
  {
    promise: 'refuses a message group with a space',
    oracle: 'does not look at it',
    settledBy: api('API_SendMessage'),
  },
  {
    promise: 'refuses a deduplication id on a standard queue',
    oracle: 'does not look at it',
    settledBy: api('API_SendMessage'),
  },
  { promise: 'refuses eleven attributes', oracle: 'takes any number', settledBy: guide('quotas-messages') },
  {
    promise: 'refuses an attribute of an unknown type',
    oracle: 'takes any type',
    settledBy: api('API_MessageAttributeValue'),
  },
  {
    promise: 'refuses single entries and takes the rest',
    oracle: 'takes any delay',
    settledBy: api('API_SendMessageBatch'),
  },
  {
    promise: `SendMessageBatch refuses the id ${longId}`,
    oracle: 'takes ids of any length',
    settledBy: api('API_SendMessageBatchRequestEntry'),
  },
  {
    promise: `DeleteMessageBatch refuses the id ${longId}`,
    oracle: 'takes ids of any length',
    settledBy: api('API_DeleteMessageBatchRequestEntry'),
  },
  {
    promise: `ChangeMessageVisibilityBatch refuses the id ${longId}`,
    oracle: 'takes ids of any length',
    settledBy: api('API_ChangeMessageVisibilityBatchRequestEntry'),
  },
  {
    promise: 'gives no attributes unasked',
    oracle: 'gives all message attributes',
    settledBy: api('API_ReceiveMessage'),
  },
  {
    promise: 'refuses an unknown attribute name',
    oracle: 'passes it over',
    settledBy: api('API_GetQueueAttributes'),
  },
  {
    promise: 'refuses what is no receipt',
    oracle: 'deletes nothing and says nothing',
    settledBy: api('API_DeleteMessage'),
  },
  {
    promise: "refuses another queue's receipt",
    oracle: 'deletes nothing and says nothing',
    settledBy: api('API_DeleteMessage'),
  },
  {
    promise: 'deletes what it can and names the rest',
    oracle: 'takes every receipt',
    settledBy: api('API_DeleteMessageBatch'),
  },
  {
    promise: 'refuses a message that was deleted',
    oracle: 'answers MessageNotInflight; AWS as its users report it',
    settledBy: 'https://github.com/mapbox/ecs-watchbot/issues/135',
  },
  {
    promise: 'refuses a receipt it did not give',
    oracle: 'answers MessageNotInflight',
    settledBy: api('API_ChangeMessageVisibility'),
  },
  {
    promise: 'refuses an unknown queue attribute',
    oracle: 'passes it over',
    settledBy: api('API_GetQueueAttributes'),
  },
  {
    promise: 'refuses a second purge within 60 s',
    oracle: 'purges as often as asked',
    settledBy: api('API_PurgeQueue'),
  },
];
