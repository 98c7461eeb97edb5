import { AsyncLocalStorage } from 'node:async_hooks';
import { namesFrom } from '../../bin/admin/names.ts';
import { type Operator, operatorOf } from '../../bin/admin/operator.ts';
import type { Dispatch } from '../../infra/embedded/call.ts';
import type { OperatorRole } from '../../infra/constructs/operator-roles.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { PLUGIN, sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import type { TestCloud } from './cloud.ts';
import { runCommand } from './command.ts';

/** The role of the stack that the command in progress says it needs. It has no other rights. */
const roles = new AsyncLocalStorage<OperatorRole>();
const OUTPUTS = { read: 'ReadRoleArn', act: 'ActRoleArn', restore: 'RestoreRoleArn' } as const;

/** The output of a command of `tributary admin`. Throws the sentence of a failure. */
export async function adminOutput(operator: Operator, argv: readonly string[]): Promise<string> {
  const { code, out, error } = await runCommand(['admin', ...argv], {
    operate: (_, use, action) => (action ? roles.run(action.role, () => use(operator)) : use(operator)),
  });
  if (code !== 0) throw new Error(error.trimEnd());
  return out;
}

/** The same; the response is what `--json` prints. */
export const adminJson = async (operator: Operator, argv: readonly string[]): Promise<unknown> =>
  JSON.parse(await adminOutput(operator, [...argv, '--json']));

/** The operator of a cloud of this process. */
export function operatorAt({ cloud }: TestCloud): Operator {
  const { dispatch, outputs, operatorEnvironment } = cloud.open;
  Object.assign(process.env, operatorEnvironment);
  const dispatchAs: Dispatch = (call) => {
    const role = roles.getStore();
    return dispatch(role === undefined ? call : { ...call, role: outputs[OUTPUTS[role]] ?? call.role });
  };
  Reflect.set(process, PLUGIN, sdkPlugin({ dispatch: dispatchAs, role: OPERATOR }));
  return operatorOf(namesFrom(outputs), { backUp: cloud.services.backups.make });
}

type Options = Readonly<Record<string, string | readonly string[]>>;

/** Runs commands with options by their names, on a cloud of this process. */
export function operator(cloud: TestCloud): <T>(name: string, options?: Options) => Promise<T> {
  const at = operatorAt(cloud);
  return async <T>(name: string, options: Options = {}) => {
    const words = Object.entries(options).flatMap(([option, values]) =>
      [values].flat().map((value) => `--${option}=${value}`),
    );
    return (await adminJson(at, [...name.split(' '), ...words])) as T;
  };
}
