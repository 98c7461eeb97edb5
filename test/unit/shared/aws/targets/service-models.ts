import * as z from 'zod';

/*
 * The parts of AWS's service models that calls of targets use, from their reference:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html,
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html and
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html. Members are the complete ones.
 */

const attribute = z.strictObject({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});

export const PUT_EVENTS = {
  target: 'AWSEvents.PutEvents',
  contentType: 'application/x-amz-json-1.1',
  signedFor: 'events',
  input: z.strictObject({
    EndpointId: z.string().max(50).optional(),
    Entries: z
      .array(
        z.strictObject({
          Time: z.number().optional(),
          Source: z.string(),
          Resources: z.array(z.string().max(2_048)).optional(),
          DetailType: z.string().max(128),
          Detail: z.string(),
          EventBusName: z
            .string()
            .max(1_600)
            .regex(/^(arn:aws[\w-]*:events:[a-z]+-[a-z]+-[\w-]+:[0-9]{12}:event-bus\/)?[.\-_A-Za-z0-9]+$/)
            .optional(),
          TraceHeader: z.string().max(500).optional(),
        }),
      )
      .min(1)
      .max(10),
  }),
};

export const SEND_MESSAGE = {
  target: 'AmazonSQS.SendMessage',
  contentType: 'application/x-amz-json-1.0',
  signedFor: 'sqs',
  input: z.strictObject({
    QueueUrl: z.string(),
    MessageBody: z.string(),
    DelaySeconds: z.int().optional(),
    MessageAttributes: z
      .record(z.string().regex(/^(?!aws\.|amazon\.)[\w-]+(\.[\w-]+)*$/i), attribute)
      .refine((all) => Object.keys(all).length <= 10)
      .optional(),
    MessageSystemAttributes: z.record(z.literal('AWSTraceHeader'), attribute).optional(),
    MessageDeduplicationId: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/)
      .optional(),
    MessageGroupId: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/)
      .optional(),
  }),
};

export const ASSUME_ROLE = z.strictObject({
  Action: z.literal('AssumeRole'),
  Version: z.literal('2011-06-15'),
  RoleArn: z.string().min(20).max(2_048),
  RoleSessionName: z
    .string()
    .min(2)
    .max(64)
    .regex(/^[\w+=,.@-]*$/),
  ExternalId: z
    .string()
    .min(2)
    .max(1_224)
    .regex(/^[\w+=,.@:/-]*$/),
});
