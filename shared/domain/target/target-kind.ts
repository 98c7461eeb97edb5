import type { OutgoingEvent } from '../delivery/signature.ts';

/** The parts of an ARN that addresses and calls need. */
export interface ArnParts {
  partition: string;
  region: string;
  account: string;
  name: string;
}

/** One event for a bus or a queue, in one attempt. */
export interface TargetEvent extends OutgoingEvent {
  /** Number of an attempt that somebody requested, which FIFO queues must not take for a repetition. */
  repetition?: number | undefined;
  /** Epoch ms. */
  now: number;
}

/** Why a service refused an event in a response that is a success. */
export interface TargetRefusal {
  code: string;
  message: string;
}

/** For a success that says nothing about the event, which is then sent again. */
export const unconfirmed = (service: string): TargetRefusal => ({
  code: 'InternalFailure',
  message: `${service} did not confirm the event`,
});

/** A kind of receivers on AWS that get events by a call of an API. */
export interface TargetKind {
  /** For people, with an article. */
  noun: string;
  /** The service of the API, by its name in a signature. */
  service: 'events' | 'sqs';
  operation: 'PutEvents' | 'SendMessage';
  /** Has a group for each of `ArnParts`. */
  arn: RegExp;
  /** The URL of a webhook with this target. */
  urlOf(parts: ArnParts): string;
  /** The input of the operation. */
  inputOf(arn: string, event: TargetEvent): Record<string, unknown>;
  refusalIn(output: unknown): TargetRefusal | undefined;
}

/** https://docs.aws.amazon.com/general/latest/gr/rande.html */
export const domainOf = ({ partition }: Pick<ArnParts, 'partition'>): string =>
  partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';

export function partsOf({ arn: pattern }: Pick<TargetKind, 'arn'>, arn: string): ArnParts | undefined {
  const [, partition, region, account, name] = pattern.exec(arn) ?? [];
  if (partition === undefined || region === undefined || account === undefined || name === undefined) return undefined;
  return { partition, region, account, name };
}
