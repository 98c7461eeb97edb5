import type { Component } from '../../shared/domain/component.ts';
import { type ConfiguredProps, configureProps } from '../../shared/domain/configured-props.ts';
import { type ErrorDetail, ServiceError } from '../../shared/domain/errors.ts';
import { ComponentId, hasKind } from '../../shared/domain/id.ts';
import { one } from '../../shared/http/answer.ts';
import { serve } from '../../shared/http/serve.ts';
import { componentServices } from '../../shared/lambda/services.ts';
import { sentence } from '../../shared/domain/check.ts';
import { accountProblems } from '../../shared/service/accounts/account-problems.ts';
import {
  componentNotFound,
  selectComponent,
  mayUse,
} from '../../shared/service/components/select-component.ts';
import { makeComponent } from '../../shared/service/components/make-component.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { components as routes } from '../../shared/http/routes/component-routes.ts';
import { showComponent } from '../../shared/http/show.ts';

const services = componentServices();
const { accounts, bucket, components, configurator } = services;

async function shown(component: Component) {
  const code = await bucket.getText(component.codeKey);
  if (code === undefined) throw new Error(`The bucket has no code of the component ${component.id}`);
  return one(showComponent(component, code));
}

/** Validates the values of a form that may be incomplete. Accepts other props too when the component has `additionalProps`. */
function readProps({ description }: Component, input: ConfiguredProps): Record<string, unknown> {
  const read = configureProps(description, input);
  if (!read.ok) throw invalid(read.details);
  return read.props;
}

const invalid = (details: readonly ErrorDetail[]) =>
  new ServiceError('invalid', 'invalid_request', sentence(details), { details });

export const handler = serve('components', {
  createComponent: operation(routes.createComponent, async ({ input, caller }) => {
    const code = input.component_code ?? undefined;
    const url = input.component_url ?? undefined;
    return shown(await makeComponent(services, { ownerId: caller.userId, code, url }));
  }),

  getComponent: operation(routes.getComponent, async ({ parameters: { key }, caller: { userId } }) => {
    const id = ComponentId.safeParse(key);
    const component = hasKind('component', key)
      ? id.success && (await components.find(id.data))
      : await components.findByKey(userId, key);
    if (!component || !mayUse(userId, component)) throw componentNotFound(key);
    return shown(component);
  }),

  configureComponent: operation(
    routes.configureComponent,
    async ({ parameters: { key: id }, input, caller: { userId }, deadline }) => {
      const component = await selectComponent(services, userId, { component_id: id });
      const { prop_name: prop, page, prev_context: prevContext, query } = input;
      const props = readProps(component, input.configured_props ?? {});
      const definitions = component.description.props;
      const problems = await accountProblems(accounts, { userId, definitions, props });
      if (problems.length > 0) throw invalid(problems);
      return one(
        await configurator.options(
          { component, userId, props, deadline },
          { prop, page: page ?? 0, prevContext, query: query ?? undefined },
        ),
      );
    },
  ),

  getRegistryComponent: operation(routes.getRegistryComponent, async ({ parameters: { key } }) => {
    const component = await components.findPublished(key);
    if (!component) throw componentNotFound(key);
    return shown(component);
  }),
} satisfies Record<keyof typeof routes, Operation>);
