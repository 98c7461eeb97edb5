import type { AttemptOutcome } from '../../domain/delivery/delivery.ts';
import { targetProblem, type TargetRule } from '../../domain/target/target-rule.ts';
import type { TargetCall } from '../../domain/target/aws-target.ts';
import { cutToBytes } from '../../lib/cut.ts';
import { connectionFailure } from '../connection-failure.ts';
import type { HttpOutcome } from '../http-attempt.ts';
import { isThrottled } from '../passing-errors.ts';
import { ApiError } from './api-error.ts';
import type { CallTarget } from './call-target.ts';

/** Makes one attempt, whose failure is a normal result. */
export type DeliverToTarget = (
  call: TargetCall,
  attempt: { timeoutMs: number; keepsResponse?: boolean },
) => Promise<HttpOutcome>;

interface DeliverToTargetOptions {
  callTarget: CallTarget;
  rule: TargetRule;
  now(): number;
}

const KEPT_BYTES = 1_024;

/**
 * Statuses by the error code, because the APIs answer 400 for what is about the receiver, too. The rest keeps its
 * status. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const STATUSES: readonly (readonly [code: RegExp, status: number])[] = [
  [/Throttl|^RequestThrottled|^LimitExceeded/, 429],
  [/^AccessDenied|^NotAuthorized|^Kms|^InvalidSecurity|^InvalidAccountId|ExpiredToken|^UnrecognizedClient/, 403],
  [/DoesNotExist|NonExistentQueue|NotFound/, 404],
  [/^Internal/, 500],
];

export function createDeliverToTarget({ callTarget, rule, now }: DeliverToTargetOptions): DeliverToTarget {
  return async (call, { timeoutMs, keepsResponse = false }) => {
    const at = now();
    const signal = AbortSignal.timeout(timeoutMs);
    const ended = (outcome: AttemptOutcome, more: Partial<HttpOutcome>): HttpOutcome => ({
      outcome,
      at,
      ms: now() - at,
      ...more,
    });
    const rejected = (code: string, message: string, status: number) =>
      ended('rejected', { status: statusOf(code, status), reason: cutToBytes(`${code}: ${message}`, KEPT_BYTES) });
    const problem = targetProblem(call.target, rule);
    if (problem) return ended('blocked', { reason: `The target's ${problem.member} ${problem.message}` });
    try {
      const output = await callTarget(call, signal);
      const refusal = call.refusalIn(output);
      if (refusal) return rejected(refusal.code, refusal.message, 400);
      if (!keepsResponse) return ended('delivered', { status: 200 });
      return ended('delivered', { status: 200, answer: cutToBytes(textOfOutput(output), KEPT_BYTES) });
    } catch (error) {
      if (signal.aborted) return ended('timed_out', { reason: `No response within ${timeoutMs} ms` });
      const { data } = ApiError.safeParse(error);
      if (!data) return ended('unreachable', { reason: connectionFailure(causeOf(error)) });
      return rejected(data.name, data.message, isThrottled(error) ? 429 : data.$metadata.httpStatusCode);
    }
  };
}

/** SDK clients add facts about the request. */
const textOfOutput = (output: unknown): string =>
  JSON.stringify(output, (member, value: unknown) => (member === '$metadata' ? undefined : value));

const statusOf = (code: string, status: number): number =>
  STATUSES.find(([pattern]) => pattern.test(code))?.[1] ?? status;

/** `fetch` fails with the error of the connection as the cause of its own. */
const causeOf = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? error) : error);
