/** Thrown by a component whose props are wrong: its message is for whoever configured the source. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Whether the place in the code helps its reader; it seldom does. */
  readonly exposeStack: boolean;

  constructor(message: string, exposeStack = false) {
    super(message);
    this.exposeStack = exposeStack;
  }
}
