import type { ServiceAccess } from './tributary/commands/service-group.ts';
import type { Operate } from './admin/operator.ts';

/** Adds the commands of `admin`. Their code is loaded when one of them is typed. */
export const lazyAdminGroup =
  (operate: Operate): ServiceAccess['addAdmin'] =>
  async (tree, admin) => {
    const { addAdminCommands } = await import('./admin/admin-group.ts');
    addAdminCommands(tree, admin, operate);
  };
