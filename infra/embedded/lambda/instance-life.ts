import type { Outcome } from './outcome.ts';

/**
 * The life of one instance. It ends when a fault ends the instance's process: the invocations in progress fail, and
 * calls that the instance still makes never return, because its code cannot be stopped within this process.
 */
export class InstanceLife {
  /** The outcome of every invocation that the end interrupts. */
  readonly interrupted: Promise<Outcome>;
  readonly #interrupt: (outcome: Outcome) => void;
  #isOver = false;

  constructor() {
    let interrupt: (outcome: Outcome) => void = () => undefined;
    this.interrupted = new Promise((resolve) => {
      interrupt = resolve;
    });
    this.#interrupt = interrupt;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
    const errorMessage = 'RequestId: unknown Error: Runtime exited with error: signal: killed';
    this.#interrupt({ ok: false, error: { errorType: 'Runtime.ExitError', errorMessage } });
  }
}
