export interface Difference {
  readonly promise: string;
  readonly oracle: string;
  readonly settledBy: string;
}

const api = (page: string) => `https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/${page}.html`;
const guide = (page: string) =>
  `https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/${page}.html`;
const longId = 'x'.repeat(81);

/**
 * Promises that fauxqs 1.9.2 breaks, each with the document that settles it. fauxqs also prefixes the names of errors
 * that the SDK does not model (InvalidParameterValue, MissingParameter) with `AWS.SimpleQueueService.`; the contract
 * removes the prefix.
 */
export const oracleDifferences: readonly Difference[] = [
  {
    promise: 'takes every character that AWS documents, and returns it',
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
    oracle: 'does not check it',
    settledBy: api('API_SendMessage'),
  },
  {
    promise: 'refuses a message group with a space',
    oracle: 'does not check it',
    settledBy: api('API_SendMessage'),
  },
  {
    promise: 'refuses a deduplication id on a standard queue',
    oracle: 'does not check it',
    settledBy: api('API_SendMessage'),
  },
  { promise: 'refuses eleven attributes', oracle: 'takes any number', settledBy: guide('quotas-messages') },
  {
    promise: 'refuses an attribute of an unknown type',
    oracle: 'takes any type',
    settledBy: api('API_MessageAttributeValue'),
  },
  {
    promise: 'refuses invalid entries and takes the others',
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
    promise: 'gives no attributes without a request',
    oracle: 'gives all message attributes',
    settledBy: api('API_ReceiveMessage'),
  },
  {
    promise: 'refuses an unknown attribute name',
    oracle: 'ignores it',
    settledBy: api('API_GetQueueAttributes'),
  },
  {
    promise: 'refuses a malformed receipt handle',
    oracle: 'deletes nothing and reports success',
    settledBy: api('API_DeleteMessage'),
  },
  {
    promise: 'refuses a receipt handle of another queue',
    oracle: 'deletes nothing and reports success',
    settledBy: api('API_DeleteMessage'),
  },
  {
    promise: 'deletes the valid entries and reports the others',
    oracle: 'takes every receipt',
    settledBy: api('API_DeleteMessageBatch'),
  },
  {
    promise: 'refuses a deleted message',
    oracle: 'answers ReceiptHandleIsInvalid; AWS as its users report it',
    settledBy: 'https://github.com/mapbox/ecs-watchbot/issues/135',
  },
  {
    promise: 'refuses a message that is not in flight',
    oracle: 'answers ReceiptHandleIsInvalid for an entry of a batch',
    settledBy: api('API_ChangeMessageVisibility'),
  },
  {
    promise: 'needs a receipt handle to delete',
    oracle: 'deletes nothing and reports success',
    settledBy: api('API_DeleteMessageBatchRequestEntry'),
  },
  {
    promise: 'needs a receipt handle to change the timeout',
    oracle: 'answers ReceiptHandleIsInvalid',
    settledBy: api('API_ChangeMessageVisibilityBatchRequestEntry'),
  },
  {
    promise: 'needs a visibility timeout',
    oracle: 'changes nothing and reports success',
    settledBy: api('API_ChangeMessageVisibilityBatchRequestEntry'),
  },
];
