import type { Component } from '../../shared/domain/component/component.ts';
import { componentWarnings } from '../../shared/domain/component/component-warnings.ts';
import { textFilter } from '../../shared/lib/text-filter.ts';
import { one, oneWith, page } from '../../shared/http/api-response.ts';
import { serve } from '../../shared/http/serve.ts';
import { componentServices } from '../../shared/lambda/wiring/source-wiring.ts';
import { codeOf, filesOf } from '../../shared/service/components/component-code.ts';
import { allPropsOf, optionsOf } from '../../shared/service/components/configure-component.ts';
import { publishedComponent, usableComponent } from '../../shared/service/components/find-component.ts';
import { makeComponent } from '../../shared/service/components/make-component.ts';
import { newComponentOf } from '../../shared/service/components/select-component.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { components as routes } from '../../shared/http/routes/component-routes.ts';
import { showComponent, showComponentItem } from '../../shared/http/show/show.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';

const services = componentServices();

const textsOf = ({ id, description, componentUrl }: Component) => [id, description.key, description.name, componentUrl];

/** A person looks for a component to start from by its app and its use, too. */
const textsOfPublished = (component: Component) => [
  ...textsOf(component),
  component.description.description,
  ...component.description.props.map(({ app }) => (typeof app === 'string' ? app : undefined)),
];

const shown = async (component: Component, expand?: 'files') => ({
  ...showComponent(component, await codeOf(services, component)),
  ...(expand === undefined ? {} : { files: await filesOf(services, component) }),
});

export const handler = serve('components', {
  createComponent: operation(routes.createComponent, async ({ input, caller }) => {
    const component = await makeComponent(services, newComponentOf(caller.userId, input));
    return oneWith(await shown(component), componentWarnings(component.description));
  }),

  getComponent: operation(routes.getComponent, async ({ parameters: { key }, input, caller: { userId } }) =>
    one(await shown(await usableComponent(services, userId, key), input.expand)),
  ),

  listComponents: operation(routes.listComponents, async ({ input, caller: { userId: ownerId } }) => {
    const { components } = services;
    const { items, totalCount } = input.published
      ? await components.listPublished(ownerId, input, textFilter(input.q, textsOfPublished))
      : await components.list(ownerId, input, textFilter(input.q, textsOf));
    const list = input.published ? 'published components' : 'components';
    return page(items, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list, ownerId }, id),
      show: showComponentItem,
    });
  }),

  configureComponent: operation(routes.configureComponent, async ({ input, caller: { userId }, deadline }) => {
    const { id, configured_props: values, prop_name: prop, page: at, prev_context: prevContext } = input;
    const configuration = { id, userId, values: values ?? {}, deadline };
    if (prop == null) return one({ configurable_props: await allPropsOf(services, configuration) });
    const query = input.query ?? undefined;
    return one(await optionsOf(services, configuration, { prop, page: at ?? 0, prevContext, query }));
  }),

  getRegistryComponent: operation(routes.getRegistryComponent, async ({ parameters: { key }, input }) =>
    one(await shown(await publishedComponent(services, key), input.expand)),
  ),
} satisfies Record<keyof typeof routes, Operation>);
