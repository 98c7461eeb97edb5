import type { Account, App } from '../api/wire.ts';

export interface AppFormProps {
  app: App;
  onConnected: (account: Account) => Promise<void>;
  onCancel: () => void;
}
