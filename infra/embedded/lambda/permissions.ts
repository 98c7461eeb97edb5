import type { Input, RequiredPermission } from '../call.ts';
import { arn, functionArn } from '../template/resource-type.ts';
import { functionNameIn } from './invoke-input.ts';
import { mappingIdIn } from './mapping-input.ts';

/** `lambda:InvokeFunction` on the function that the input names. */
export const invokePermission = (input: Input): readonly RequiredPermission[] => [
  { action: 'lambda:InvokeFunction', resource: functionArn(functionNameIn(input)) },
];

/** An action on the event-source mapping that the input names. */
export const mappingPermission =
  (action: string) =>
  (input: Input): readonly RequiredPermission[] => [
    { action, resource: arn('lambda', `event-source-mapping:${mappingIdIn(input)}`) },
  ];
