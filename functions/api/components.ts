import { randomBytes } from 'node:crypto';
import { bucketOf } from '../../shared/aws/bucket.ts';
import { builderOf } from '../../shared/aws/builder.ts';
import { lambdaClient, s3Client } from '../../shared/aws/clients.ts';
import { runnerOf } from '../../shared/aws/runner.ts';
import type { Component } from '../../shared/domain/component.ts';
import { ComponentId } from '../../shared/domain/id.ts';
import { one } from '../../shared/lambda/answer.ts';
import { serve, table } from '../../shared/lambda/api.ts';
import { componentNotFound, mayUse } from '../../shared/lambda/components/component-of.ts';
import { makeComponent } from '../../shared/lambda/components/make-component.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { type Operation, operation } from '../../shared/lambda/http.ts';
import { components as at } from '../../shared/lambda/routes/components.ts';
import { showComponent } from '../../shared/lambda/show.ts';
import { componentStore } from '../../shared/store/components.ts';

const env = environment('BUCKET_NAME', 'BUILDER_FUNCTION', 'RUNNER_FUNCTION');
const lambda = lambdaClient();
const bucket = bucketOf(s3Client(), env.BUCKET_NAME);
const components = componentStore(table);
const services = {
  bucket,
  components,
  builder: builderOf(lambda, env.BUILDER_FUNCTION),
  runner: runnerOf(lambda, env.RUNNER_FUNCTION),
  random: randomBytes,
  now: () => Date.now(),
};

async function shown(component: Component) {
  const code = await bucket.getText(component.codeKey);
  if (code === undefined) throw new Error(`The code of ${component.id} is gone`);
  return one(showComponent(component, code));
}

export const handler = serve('components', {
  createComponent: operation(at.createComponent, async ({ input, caller }) => {
    const code = input.component_code ?? undefined;
    const url = input.component_url ?? undefined;
    return shown(await makeComponent(services, { ownerId: caller.userId, code, url }));
  }),

  getComponent: operation(at.getComponent, async ({ parameters: { key }, caller: { userId } }) => {
    const id = ComponentId.safeParse(key);
    const component = key.startsWith('sc_')
      ? id.success && (await components.find(id.data))
      : await components.findByKey(userId, key);
    if (!component || !mayUse(userId, component)) throw componentNotFound(key);
    return shown(component);
  }),

  getRegistryComponent: operation(at.getRegistryComponent, async ({ parameters: { key } }) => {
    const component = await components.findPublished(key);
    if (!component) throw componentNotFound(key);
    return shown(component);
  }),
} satisfies Record<keyof typeof at, Operation>);
