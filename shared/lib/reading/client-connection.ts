/** The connection of the client that sent a request, where the host of the function has it. */
export interface ClientConnection {
  /** Whether the client still waits for the response. */
  readonly isOpen: boolean;
  /**
   * Calls back once, when the response is over or the client gone; at once if it is. The returned function ends that.
   */
  whenOver(callback: () => void): () => void;
}

/** The property of a Lambda context with a {@link ClientConnection}. */
export const CLIENT = Symbol.for('tributary.client');

interface HostedContext {
  readonly awsRequestId: string;
  readonly [CLIENT]?: ClientConnection | undefined;
}

export const clientIn = (context: HostedContext): ClientConnection | undefined => context[CLIENT];

/** A connection that was closed together with its request shows it some iterations of the event loop later. */
const ITERATIONS = 4;

/** Whether a client is gone, before work for it begins. */
export async function isGone(client: ClientConnection | undefined): Promise<boolean> {
  for (let n = 0; n < ITERATIONS && client?.isOpen === true; n += 1)
    await new Promise((resolve) => setImmediate(resolve));
  return client?.isOpen === false;
}
