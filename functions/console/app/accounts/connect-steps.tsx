import { useState } from 'preact/hooks';
import type { Account, App } from '../api/wire.ts';
import { Loaded } from '../components/loaded.tsx';
import { AppList } from './app-list.tsx';
import type { AppFormProps } from './app-form-props.ts';
import { FieldsForm } from './fields-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useApps } from './use-apps.ts';

interface ConnectStepsProps {
  /** Undefined: the first step is to choose it. */
  app: string | undefined;
  onConnected: (account: Account) => Promise<void>;
  onCancel: () => void;
}

/** Chooses an app, and connects an account of it. */
export function ConnectSteps({ app, onConnected, onCancel }: ConnectStepsProps) {
  const [picked, setPicked] = useState<App>();
  const slug = picked?.app ?? app;
  const query = useApps();
  return (
    <>
      <Loaded query={query}>
        {({ data: apps }) =>
          slug === undefined ? (
            <AppList apps={apps} onPick={setPicked} />
          ) : (
            <>
              {picked && (
                <p>
                  App: <code>{picked.app}</code>
                </p>
              )}
              <AppForm
                app={apps.find((each) => each.app === slug) ?? unknownApp(slug)}
                onConnected={onConnected}
                onCancel={onCancel}
              />
            </>
          )
        }
      </Loaded>
      {(slug === undefined || query.data === undefined) && (
        <div class="actions end">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </>
  );
}

/** An app that no component names any more. */
const unknownApp = (app: string): App => ({
  app,
  auth: 'fields',
  fields: [],
  provider: null,
  parameters: [],
  accounts: 0,
});

/** Connects an account in the way of its app. */
const AppForm = (props: AppFormProps) =>
  props.app.auth === 'oauth' ? <SignInForm {...props} /> : <FieldsForm {...props} />;
