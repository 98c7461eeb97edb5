import { Allowed } from '../api/rights.tsx';
import type { Account } from '../api/wire.ts';
import { useConnect } from './connect-provider.tsx';

/** Connects an account of kind `oauth` again. */
export function ReconnectButton({ account }: { account: Account }) {
  const connect = useConnect();
  return (
    <Allowed>
      <button type="button" onClick={() => connect({ account })}>
        Reconnect
      </button>
    </Allowed>
  );
}
