import { networkInterfaces } from 'node:os';
import { type AddressRule, type Refuses, refusesBy } from '../../../shared/runtime/network/address-rule.ts';

type NetworkRule = Omit<AddressRule, 'ownAddresses'>;

/** Addresses of this machine may change. */
const RULE_MS = 10_000;

/**
 * The rule with the addresses of this machine. It is made again every ten seconds, because it takes longer than a
 * connection.
 */
export function currentRule(ruleNow: () => NetworkRule): () => Refuses {
  let made: { refuses: Refuses; ports: readonly number[]; at: number } | undefined;
  return () => {
    const rule = ruleNow();
    const now = performance.now();
    if (made && made.ports === rule.ownPorts && now - made.at < RULE_MS) return made.refuses;
    const ownAddresses = Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => address),
    );
    made = { refuses: refusesBy({ ...rule, ownAddresses }), ports: rule.ownPorts, at: now };
    return made.refuses;
  };
}
