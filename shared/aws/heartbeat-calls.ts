import { GetQueueAttributesCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

const PROBE_MS = 10_000;

interface HeartbeatCallsOptions {
  sqs(): SQSClient;
  runsQueueUrl: string;
  /** Nothing reads this queue: its metric counts the successes. */
  heartbeatQueueUrl: string;
}

export const createHeartbeatCalls = ({ sqs, runsQueueUrl, heartbeatQueueUrl }: HeartbeatCallsOptions) => ({
  async isStalled(): Promise<boolean> {
    const { Attributes = {} } = await sqs().send(
      new GetQueueAttributesCommand({
        QueueUrl: runsQueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: received } = Attributes;
    return Number(waiting) > 0 && Number(received) === 0;
  },

  /** A connection of its own checks name and certificate each time. */
  async probe(address: string): Promise<void> {
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(address, { redirect: 'manual', signal, headers: { connection: 'close' } });
    await response.body?.cancel();
    if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
  },

  async report(): Promise<void> {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({ QueueUrl: heartbeatQueueUrl, Entries: [{ Id: '0', MessageBody: 'ok' }] }),
    );
    if (Failed.length > 0) throw new Error(`SQS refused the report: ${Failed[0]?.Message ?? 'no reason'}`);
  },
});
