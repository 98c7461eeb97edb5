import { filesKey } from '../../shared/aws/object-keys.ts';
import type { Component } from '../../shared/domain/component.ts';
import { componentWarnings } from '../../shared/domain/component-warnings.ts';
import { type ConfiguredProps, configureProps } from '../../shared/domain/configured-props.ts';
import { type ErrorDetail, ServiceError } from '../../shared/domain/errors.ts';
import { ComponentId, hasKind } from '../../shared/domain/id.ts';
import { SentFiles } from '../../shared/domain/sent-files.ts';
import { textFilter } from '../../shared/domain/text-filter.ts';
import { one, oneWith, page } from '../../shared/http/answer.ts';
import { serve } from '../../shared/http/serve.ts';
import { componentServices } from '../../shared/lambda/services.ts';
import { sentence } from '../../shared/domain/check.ts';
import { accountProblems } from '../../shared/service/accounts/account-problems.ts';
import {
  componentNotFound,
  mayUse,
  newComponentOf,
  selectComponent,
} from '../../shared/service/components/select-component.ts';
import { makeComponent } from '../../shared/service/components/make-component.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { components as routes } from '../../shared/http/routes/component-routes.ts';
import { showComponent, showComponentItem } from '../../shared/http/show.ts';
import { encodeCursor } from '../../shared/store/cursor.ts';

const services = componentServices();
const { accounts, bucket, components, configurator } = services;

const textsOf = ({ id, description, componentUrl }: Component) => [
  id,
  description.key,
  description.name,
  componentUrl,
];

async function shown(component: Component, expand?: 'files') {
  const { codeKey, hasFiles } = component;
  const code = await bucket.getText(codeKey);
  if (code === undefined) throw new Error(`The bucket has no code of the component ${component.id}`);
  if (expand === undefined) return showComponent(component, code);
  const text = hasFiles ? await bucket.getText(filesKey(codeKey)) : undefined;
  return { ...showComponent(component, code), files: filesOf(text === undefined ? [] : JSON.parse(text)) };
}

const filesOf = (files: unknown) => Object.fromEntries(SentFiles.parse(files));

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
    const component = await makeComponent(services, newComponentOf(caller.userId, input));
    return oneWith(await shown(component), componentWarnings(component.description));
  }),

  getComponent: operation(routes.getComponent, async ({ parameters: { key }, input, caller: { userId } }) => {
    const id = ComponentId.safeParse(key);
    const component = hasKind('component', key)
      ? id.success && (await components.find(id.data))
      : await components.findByKey(userId, key);
    if (!component || !mayUse(userId, component)) throw componentNotFound(key);
    return one(await shown(component, input.expand));
  }),

  listComponents: operation(routes.listComponents, async ({ input, caller: { userId: ownerId } }) => {
    const { items, totalCount } = await components.list(ownerId, input, textFilter(input.q, textsOf));
    return page(items, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list: 'components', ownerId }, id),
      show: showComponentItem,
    });
  }),

  configureComponent: operation(
    routes.configureComponent,
    async ({ input, caller: { userId }, deadline }) => {
      const component = await selectComponent(services, userId, { component_id: input.id });
      const props = readProps(component, input.configured_props ?? {});
      const definitions = component.description.props;
      const problems = await accountProblems(accounts, { userId, definitions, props });
      if (problems.length > 0) throw invalid(problems);
      const configured = { component, userId, props, deadline };
      const { prop_name: prop, page: at, prev_context: prevContext, query } = input;
      if (prop == null) return one({ configurable_props: await configurator.allProps(configured) });
      return one(
        await configurator.options(configured, {
          prop,
          page: at ?? 0,
          prevContext,
          query: query ?? undefined,
        }),
      );
    },
  ),

  getRegistryComponent: operation(routes.getRegistryComponent, async ({ parameters: { key }, input }) => {
    const component = await components.findPublished(key);
    if (!component) throw componentNotFound(key);
    return one(await shown(component, input.expand));
  }),
} satisfies Record<keyof typeof routes, Operation>);
