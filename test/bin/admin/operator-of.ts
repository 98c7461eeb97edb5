import { expect } from 'vitest';
import { namesFrom } from '../../../bin/admin/names.ts';
import { type Operator, operatorOf } from '../../../bin/admin/operator.ts';
import type { Dispatch } from '../../../infra/embedded/call.ts';
import { OPERATOR } from '../../../infra/embedded/iam/authorizer.ts';
import { connectOperator } from '../../../infra/embedded/operator/client.ts';
import { openOperatorSocket } from '../../../infra/embedded/operator/socket.ts';
import { PLUGIN, sdkPlugin } from '../../../infra/embedded/sdk-plugin.ts';
import type { TestCloud } from '../../support/cloud.ts';
import { adminJson, adminOutput } from '../../support/operator.ts';

export interface OperatorAtWork {
  readonly operator: Operator;
  /** The output of a command with `--json`; `as` stands in for the operator. */
  run(argv: readonly string[], as?: Operator): Promise<{ json: unknown }>;
  /** Its output for people. */
  text(argv: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * The operator of a cloud that runs: every call goes through the socket in its data directory, as the command's do, and
 * has no other rights than those of the role `act` of the stack.
 */
export async function operatorThroughSocket({ cloud, dataDir }: TestCloud): Promise<OperatorAtWork> {
  const { outputs, operatorEnvironment: environment } = cloud.open;
  const role = outputs['ActRoleArn'] ?? expect.fail('no role');
  const dispatch: Dispatch = (call) => cloud.open.dispatch({ ...call, role });
  const backUp = cloud.services.backups.make;
  const socket = await openOperatorSocket({ dataDir, dispatch, backUp, about: { outputs, environment } });
  const access = await connectOperator(dataDir);
  if (!access) throw new Error('Nobody listens at the socket.');
  Object.assign(process.env, access.environment);
  Reflect.set(process, PLUGIN, sdkPlugin({ dispatch: access.dispatch, role: OPERATOR }));
  const operator = operatorOf(namesFrom(access.outputs), access);
  return {
    operator,
    run: async (argv, as = operator) => ({ json: await adminJson(as, argv) }),
    text: (argv) => adminOutput(operator, argv),
    async close() {
      await access.close();
      await socket.close();
    },
  };
}
