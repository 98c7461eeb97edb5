declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Context {
    path: string;
    query: Record<string, unknown>;
    body: unknown;
    oidc: {
      params?: Record<string, unknown>;
      client: { clientId: string };
      session: { accountId: string; grantIdFor(clientId: string): string | undefined };
    };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  /** Only what the tests use of it. */
  export class Provider {
    Grant: {
      new (options: { clientId: string; accountId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    constructor(
      issuer: string,
      configuration: {
        loadExistingGrant: (context: Context) => Promise<Grant | undefined>;
      } & Record<string, unknown>,
    );
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
  }
}
