import { sentence } from '../../domain/check.ts';
import { withAuthFields } from '../../domain/component/auth-fields.ts';
import type { Component } from '../../domain/component/component.ts';
import { type ConfiguredProps, configureProps } from '../../domain/component/configured-props.ts';
import { type ErrorDetail, ServiceError } from '../../domain/errors.ts';
import type { ComponentId, UserId } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { accountProblems } from '../accounts/account-problems.ts';
import type { Configurator, ConfigureInput, OptionsInput } from './configurator.ts';
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

/** The options of one prop for these values. */
export async function optionsOf(
  context: ConfigureComponentContext,
  input: ConfigurationInput,
  question: OptionsInput,
) {
  return context.configurator.options(await checkedInput(context, input), question);
}

async function checkedInput(
  context: ConfigureComponentContext,
  { id, userId, values, deadline }: ConfigurationInput,
): Promise<ConfigureInput> {
  const component = await selectComponent(context, userId, { component_id: id });
  const props = readProps(component, values);
  const definitions = component.description.props;
  const problems = await accountProblems(context.accounts, { userId, definitions, props });
  if (problems.length > 0) throw invalid(problems);
  return { component, userId, props, deadline };
}

/** Accepts other props too when the component has `additionalProps`. */
function readProps({ description }: Component, values: ConfiguredProps): Record<string, unknown> {
  const read = configureProps(description, values);
  if (!read.ok) throw invalid(read.details);
  return read.props;
}

const invalid = (details: readonly ErrorDetail[]) =>
  new ServiceError('invalid', 'invalid_request', sentence(details), { details });
