/**
 * The name of a deployment: that of its stack, and after it the ids of the construct in the stack of another app, as in
 * `Backend_Events`. Names of stacks have no `_`. Outputs and logical ids of the construct begin with its ids.
 */
export const deploymentName = (stackName: string, ids: readonly string[]): string => [stackName, ...ids].join('_');

export function deploymentParts(name: string): { stackName: string; prefix: string } {
  const [stackName = '', ...ids] = name.split('_');
  return { stackName, prefix: ids.join('').replaceAll('-', '') };
}
