/** Thrown by a component with wrong props; the message is for the user who configured the source. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Whether to show the stack, which rarely helps that user. */
  readonly exposeStack: boolean;

  constructor(message: string, exposeStack = false) {
    super(message);
    this.exposeStack = exposeStack;
  }
}
