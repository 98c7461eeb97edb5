import { useState } from 'preact/hooks';
import { TextField } from '../components/text-field.tsx';
import type { AppFormProps } from './app-form-props.ts';
import { ProviderSignIn } from './provider-sign-in.tsx';

/** Connects an account by a sign-in at its provider. */
export function SignInForm({ app: { app, provider, parameters: names }, onConnected, onCancel }: AppFormProps) {
  const [name, setName] = useState('');
  const [parameters, setParameters] = useState<ReadonlyMap<string, string>>(new Map());
  const valueOf = (parameter: string): string => parameters.get(parameter) ?? '';
  return (
    <ProviderSignIn
      requestOf={() => ({
        app,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(names.length === 0
          ? {}
          : { parameters: Object.fromEntries(names.map((each) => [each, valueOf(each).trim()])) }),
      })}
      onConnected={onConnected}
      onCancel={onCancel}
    >
      <p class="hint">You sign in at {provider ?? 'the provider'} in a new tab, and allow the access there.</p>
      {names.map((each) => (
        <TextField
          key={each}
          label={each}
          value={valueOf(each)}
          onChange={(value) => setParameters(new Map(parameters).set(each, value))}
        />
      ))}
      <TextField label="Name" isOptional value={name} onChange={setName} placeholder={app} />
    </ProviderSignIn>
  );
}
