import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { executionsOf } from '../../../../infra/concurrency.ts';
import { readLimits, sumOf, tenantEnvironments } from '../doctor-account.ts';
import { type Check, hold } from './claim.ts';

const functions: Check = {
  name: 'functions',
  claim: 'The runner and the builder run on Node 24 and arm64, isolated by tenant.',
  async ask({ operator: { lambda, names } }) {
    for (const FunctionName of [names.runnerFunction, names.builderFunction]) {
      const { Runtime, Architectures, TenancyConfig } = await lambda.send(
        new GetFunctionConfigurationCommand({ FunctionName }),
      );
      hold(Runtime === 'nodejs24.x', `The runtime is ${Runtime}`);
      hold(Architectures?.join() === 'arm64', `The architecture is ${Architectures?.join()}`);
      const mode = TenancyConfig?.TenantIsolationMode;
      hold(mode === 'PER_TENANT', `The tenant isolation is ${mode}`);
    }
    return 'nodejs24.x, arm64, PER_TENANT';
  },
};

const concurrency: Check = {
  name: 'concurrency',
  claim: 'The account has the concurrent executions that the stage assumes.',
  async ask({ operator: { lambda, names } }) {
    const { executions, unreserved } = await readLimits(lambda);
    const { account } = names.concurrency;
    hold(
      executions >= account,
      `The account allows ${executions} concurrent executions, and the stage assumes ${account}`,
    );
    const sum = sumOf(names.concurrency);
    hold(
      unreserved >= executionsOf(names.concurrency),
      `The queues use ${sum}, and ${unreserved} are not reserved for single functions`,
    );
    return `${sum} of ${unreserved} unreserved of ${executions}, ${tenantEnvironments(executions)} environments of tenants`;
  },
};

export const functionChecks = [functions, concurrency];
