import { DescriptorBudget } from '../../infra/embedded/isolation/descriptor-budget.ts';
import type { GatewayOptions } from '../../infra/embedded/isolation/gateway.ts';
import { Names } from '../../shared/dns/resolve-names.ts';

/** A gateway of one account that may connect to every address. */
export const gatewayOptions = (more: Partial<GatewayOptions> = {}): GatewayOptions => ({
  refuses: () => () => false,
  holder: () => ({ owner: 'u_1', party: 'dc_1' }),
  names: new Names(),
  descriptors: new DescriptorBudget(10_000, 2_048),
  ...more,
});
