import type { Input, RequiredPermission } from '../call.ts';
import { functionArn } from '../template/resource-type.ts';
import { functionNameIn } from './invoke-input.ts';

/** `lambda:InvokeFunction` on the function that the input names. */
export const invokePermission = (input: Input): readonly RequiredPermission[] => [
  { action: 'lambda:InvokeFunction', resource: functionArn(functionNameIn(input)) },
];
