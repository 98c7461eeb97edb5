import { withAuthFields } from '../../domain/component/auth-fields.ts';
import type { ConfiguredProps } from '../../domain/component/configured-props.ts';
import type { ComponentId, UserId } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { accountProblems } from '../accounts/account-problems.ts';
import type { Configurator, ConfigureInput, OptionsInput } from './configurator.ts';
import { invalidProps, readProps } from './read-props.ts';
import { selectComponent, type SelectComponentContext } from './select-component.ts';

interface ConfigureComponentContext extends SelectComponentContext {
  accounts: Pick<AccountStore, 'find'>;
  configurator: Pick<Configurator, 'allProps' | 'options'>;
}

interface ConfigurationInput {
  id: ComponentId;
  userId: UserId;
  /** Values of a form that may be incomplete. */
  values: ConfiguredProps;
  deadline: number;
}

/** All props for these values, with those of `additionalProps`, as responses show them. */
export async function allPropsOf(context: ConfigureComponentContext, input: ConfigurationInput) {
  const checked = await checkedInput(context, input);
  return withAuthFields(await context.configurator.allProps(checked), checked.component.authReads);
}

export async function optionsOf(context: ConfigureComponentContext, input: ConfigurationInput, question: OptionsInput) {
  return context.configurator.options(await checkedInput(context, input), question);
}

async function checkedInput(
  context: ConfigureComponentContext,
  { id, userId, values, deadline }: ConfigurationInput,
): Promise<ConfigureInput> {
  const component = await selectComponent(context, userId, { component_id: id });
  const props = readProps(component.description, { configuredProps: values });
  const definitions = component.description.props;
  const problems = await accountProblems(context.accounts, { userId, definitions, props });
  if (problems.length > 0) throw invalidProps(problems);
  return { component, userId, props, deadline };
}
