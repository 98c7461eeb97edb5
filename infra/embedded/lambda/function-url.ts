import * as z from 'zod';
import type { Interpretation } from '../template/interpret.ts';
import { readProperties } from '../template/read-properties.ts';
import { functionNameOf } from './function-spec.ts';

/** One `AWS::Lambda::Url` of the template. */
export interface FunctionUrlSpec {
  readonly functionName: string;
}

const Declared = z.object({
  AuthType: z.literal('NONE'),
  InvokeMode: z.literal('RESPONSE_STREAM'),
  TargetFunctionArn: z.string(),
});

export function functionUrlSpecs(stack: Interpretation): FunctionUrlSpec[] {
  return stack.ofType('AWS::Lambda::Url').map((resource) => ({
    functionName: functionNameOf(readProperties(Declared, resource).TargetFunctionArn),
  }));
}

/** The permissions that a public function URL needs. https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html */
export const URL_PERMISSIONS = [
  { action: 'lambda:InvokeFunctionUrl', context: { 'lambda:FunctionUrlAuthType': 'NONE' } },
  { action: 'lambda:InvokeFunction', context: { 'lambda:InvokedViaFunctionUrl': 'true' } },
] as const;
