import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import type { Account, AccountFields } from '../../../../../shared/domain/account/account.ts';
import { AccountId, UserId } from '../../../../../shared/domain/id.ts';
import { updateAccount } from '../../../../../shared/service/accounts/update-account.ts';
import { type AccountStore, accountStore, type NamedAccount } from '../../../../../shared/store/accounts/accounts.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';

let opened: EventTable;
let accounts: AccountStore;
let account: Account;
beforeEach(async () => {
  opened = await openEventTable({ clock: new FakeClock() });
  accounts = accountStore(opened.table);
  const made: NamedAccount = {
    id: AccountId.parse('apn_1'),
    ownerId: UserId.parse('u_1'),
    app: 'some_app',
    name: 'one',
    hasReservedName: true,
    fieldNames: ['token'],
    sealed: sealedOf({ token: 't' }),
    createdAt: 1,
    version: 0,
  };
  await accounts.create(made, 10);
  account = made;
});
afterEach(() => opened.close());

const sealedOf = (fields: AccountFields) => ({ dataKey: '', nonce: '', text: JSON.stringify(fields) });

/** Does something before the first fields are sealed: between the read of an account and its change. */
function vaultWith(meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  let isFirst = true;
  return {
    decrypt: async ({ sealed }: { sealed: { text: string } }) => JSON.parse(sealed.text) as AccountFields,
    async encrypt(_holder: unknown, fields: AccountFields) {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return sealedOf(fields);
    },
  };
}

const stored = async () => {
  const found = await accounts.find(account.id);
  return found && { name: found.name, fields: JSON.parse(found.sealed.text) as AccountFields };
};

describe('a change of fields', () => {
  const change = { name: undefined, fields: { mine: 'x' } };

  test('keeps a change of other fields that came first', async () => {
    const vault = vaultWith(() =>
      updateAccount({ accounts, vault: vaultWith() }, account, { name: undefined, fields: { theirs: 'y' } }),
    );
    await updateAccount({ accounts, vault }, account, change);
    expect(await stored()).toEqual({ name: 'one', fields: { token: 't', theirs: 'y', mine: 'x' } });
  });

  test('keeps a name that came first, and the other way round', async () => {
    const rename = { name: 'two', fields: undefined };
    const vault = vaultWith(() => updateAccount({ accounts, vault: vaultWith() }, account, rename));
    await updateAccount({ accounts, vault }, account, change);
    expect(await stored()).toEqual({ name: 'two', fields: { token: 't', mine: 'x' } });
    await updateAccount({ accounts, vault }, account, { name: 'three', fields: undefined });
    expect(await stored()).toEqual({ name: 'three', fields: { token: 't', mine: 'x' } });
  });

  test('finds that the account was removed meanwhile, and does not bring it back', async () => {
    const vault = vaultWith(() => accounts.remove(account));
    expect(await updateAccount({ accounts, vault }, account, change)).toBeUndefined();
    expect(await updateAccount({ accounts, vault }, account, { ...change, name: 'two' })).toBeUndefined();
    expect(await stored()).toBeUndefined();
    expect(await accounts.takenNames(account.ownerId, account.app)).toEqual(new Set());
  });
});
