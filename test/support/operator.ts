import type { Answer, Options } from '../../bin/admin/command.ts';
import { commandNamed, executeCommand } from '../../bin/admin/commands.ts';
import { namesFrom } from '../../bin/admin/names.ts';
import { operatorOf } from '../../bin/admin/operator.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { PLUGIN, sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import type { TestCloud } from './cloud.ts';

/** Runs the operator's commands on a cloud of this process. */
export function operatorAnswers({ cloud }: TestCloud): (name: string, options?: Options) => Promise<Answer> {
  const { dispatch, outputs, operatorEnvironment } = cloud.open;
  Object.assign(process.env, operatorEnvironment);
  Reflect.set(process, PLUGIN, sdkPlugin({ dispatch, role: OPERATOR }));
  const at = operatorOf(namesFrom(outputs));
  return (name, options = {}) => {
    commandNamed(name).check(options);
    return executeCommand(at, name, options);
  };
}

/** The same; the answer is what `--json` prints. */
export function operator(cloud: TestCloud): <T>(name: string, options?: Options) => Promise<T> {
  const answers = operatorAnswers(cloud);
  return async <T>(name: string, options: Options = {}) => (await answers(name, options)).json as T;
}
