import * as z from 'zod';
import { readSettings } from '../../bin/settings.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import type { Stage } from '../../infra/stage.ts';
import { testAssembly } from './cloud.ts';
import { templateWithoutCode } from './stack.ts';
import type { Template } from './template.ts';

/** The functions of the run in the stack of a stage that has other resources. */
export function assemblyOfStage(stage: z.input<typeof Stage>): Assembly {
  const assembly = testAssembly();
  const own = z.custom<Template>().parse(assembly.template);
  const template = structuredClone(templateWithoutCode({ ...readSettings({}).stage, ...stage }));
  for (const [id, { Type, Properties }] of Object.entries(template.Resources))
    if (Type === 'AWS::Lambda::Function') Properties['Code'] = own.Resources[id]?.Properties?.['Code'];
  return { ...assembly, template };
}
