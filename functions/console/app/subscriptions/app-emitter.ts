import { oneAddressProvider } from '../../../../shared/domain/app-hook/one-address.ts';
import type { Component } from '../api/wire.ts';

/** A source that has the address of an app of this provider. */
export interface Emitter {
  provider: string;
  id: string;
}

/**
 * The id of the source to listen to; empty for an address of its own. A choice for an earlier component may be of
 * another provider.
 */
export const emitterFor = ({ configurable_props: props }: Component, chosen: Emitter | undefined): string =>
  chosen !== undefined && chosen.provider === oneAddressProvider(props) ? chosen.id : '';
