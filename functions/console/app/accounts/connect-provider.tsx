import { type ComponentChildren, createContext } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Account } from '../api/wire.ts';
import { Modal } from '../components/modal.tsx';
import { useNotices } from '../components/notices.tsx';
import { ConnectSteps } from './connect-steps.tsx';
import { Reconnect } from './reconnect.tsx';
import { useAccountsChanged } from './use-accounts-changed.ts';

interface ConnectRequest {
  /** Undefined: a person chooses it. */
  app?: string;
  /** An account that was connected by a sign-in, to connect it again. */
  account?: Account;
  onConnected?: (account: Account) => void;
}

const Context = createContext<(request: ConnectRequest) => void>(() => undefined);

/** Opens the dialog that connects an account. */
export const useConnect = () => useContext(Context);

/** The dialog is outside of every page, because a form cannot contain its forms. */
export function ConnectProvider({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const { say } = useNotices();
  const accountsChanged = useAccountsChanged();
  const [asked, setAsked] = useState<{ request: ConnectRequest; path: string }>();
  // A request ends with its page, before the next key.
  const request = asked?.path === path ? asked.request : undefined;
  const close = (): void => setAsked(undefined);
  // It does not come back with its page.
  useLayoutEffect(() => setAsked((latest) => (latest?.path === path ? latest : undefined)), [path]);

  async function connected(account: Account): Promise<void> {
    await accountsChanged();
    request?.onConnected?.(account);
    // Another dialog may have been opened meanwhile.
    setAsked((latest) => (latest === asked ? undefined : latest));
    say(`The account ${account.name} of ${account.app} is connected.`);
  }
  return (
    <Context.Provider value={(next) => setAsked({ request: next, path })}>
      {children}
      <Modal isOpen={request !== undefined} title={titleOf(request)} onClose={close}>
        {request?.account === undefined ? (
          <ConnectSteps app={request?.app} onConnected={connected} onCancel={close} />
        ) : (
          <Reconnect id={request.account.id} onConnected={connected} onCancel={close} />
        )}
      </Modal>
    </Context.Provider>
  );
}

function titleOf({ app, account }: ConnectRequest = {}): string {
  if (account) return `Reconnect ${account.name}`;
  return app === undefined ? 'Connect account' : `Connect an account of ${app}`;
}
