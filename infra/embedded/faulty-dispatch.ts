import { AwsError, type Call, type Dispatch, type Output, type ServiceId } from './call.ts';
import type { CallFault, Faults } from './faults.ts';

interface FaultyDispatchOptions {
  readonly dispatch: Dispatch;
  readonly faults: Faults;
  /** Name of the function, or id of the event-source mapping. */
  readonly caller: string;
  /** The process of the caller. Without it the caller is AWS itself: its calls fail where a process would end. */
  readonly life?: { readonly isOver: boolean; end(): void };
}

/** Passes calls on, with the faults that {@link Faults.ofCall} decides. */
export function faultyDispatch({ dispatch, faults, caller, life }: FaultyDispatchOptions): Dispatch {
  function dying(): Promise<never> {
    life?.end();
    return never();
  }

  async function faulty(call: Call, fault: CallFault): Promise<Output> {
    switch (fault) {
      case 'throttled':
        throw errorOf(call, 'throttled');
      case 'failed':
        throw errorOf(call, 'failed');
      case 'response-lost':
        await dispatch(call);
        throw responseLost();
      case 'repeated':
        return repeated(call);
      case 'died-before':
        if (!life) throw errorOf(call, 'failed');
        return dying();
      case 'died-after':
        await dispatch(call);
        if (!life) throw responseLost();
        return dying();
    }
  }

  async function repeated(call: Call): Promise<Output> {
    const first = await dispatch(call);
    // The SDK repeats no invocation (one attempt), and gives these operations a token that makes a repetition get the
    // first response.
    if (call.service === 'Lambda') throw responseLost();
    return call.service === 'Scheduler' || call.operation === 'TransactWriteItems' ? first : dispatch(call);
  }

  return (call) => {
    if (life?.isOver) return never();
    const fault = faults.ofCall({ caller, service: call.service, operation: call.operation });
    return fault === undefined ? dispatch(call) : faulty(call, fault);
  };
}

const never = () => new Promise<never>(() => undefined);

/** As the SDK's HTTP handler throws it. */
const responseLost = () =>
  Object.assign(new Error('Connection timed out after the request was sent.'), { name: 'TimeoutError' });

type Refusal = readonly [name: string, statusCode: number];

/** Each service has its own names for too many requests and for an internal failure. */
const REFUSALS: Readonly<Record<ServiceId, Readonly<Record<'throttled' | 'failed', Refusal>>>> = {
  DynamoDB: { throttled: ['ThrottlingException', 400], failed: ['InternalServerError', 500] },
  SQS: { throttled: ['RequestThrottled', 403], failed: ['InternalError', 500] },
  S3: { throttled: ['SlowDown', 503], failed: ['InternalError', 500] },
  Scheduler: { throttled: ['ThrottlingException', 429], failed: ['InternalServerException', 500] },
  Lambda: { throttled: ['TooManyRequestsException', 429], failed: ['ServiceException', 500] },
  KMS: { throttled: ['ThrottlingException', 400], failed: ['KMSInternalException', 500] },
  EventBridge: { throttled: ['ThrottlingException', 400], failed: ['InternalException', 500] },
};

function errorOf({ service, operation }: Call, kind: 'throttled' | 'failed'): AwsError {
  const [name, statusCode] = REFUSALS[service][kind];
  return new AwsError(name, `An injected fault: ${operation} was ${kind}.`, { statusCode });
}
