import { addressCodec, dataCodec, hashCodec, quantityCodec } from '@tetrad/rpc';
import { parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { z } from 'zod';

/**
 * A value that changed (`*`), came to be (`+`), ceased to be (`-`), or stayed (`=`), as OpenEthereum and Erigon write it.
 * @param value - codec of the value before and after
 */
function changeOf<Value extends z.ZodType>(value: Value) {
  return z.union([
    z.literal('='),
    z.strictObject({ '*': z.strictObject({ from: value, to: value }) }),
    z.strictObject({ '+': value }),
    z.strictObject({ '-': value }),
  ]);
}

const slotChangeSchema = changeOf(hashCodec);

const slotsCodec = z.codec(
  z.record(z.string().regex(/^0x[0-9a-f]{64}$/), slotChangeSchema),
  z.custom<ReadonlyMap<Hash, z.output<typeof slotChangeSchema>>>((value) => value instanceof Map),
  {
    decode: (slots) => new Map(Object.entries(slots).map(([slot, change]) => [parseHash(slot), change])),
    encode: (slots) => Object.fromEntries(slots) as Record<string, z.output<typeof slotChangeSchema>>,
  },
);

const accountChangesSchema = z.strictObject({
  balance: changeOf(quantityCodec),
  code: changeOf(dataCodec),
  nonce: changeOf(quantityCodec),
  /** Storage of the slots that changed. */
  storage: slotsCodec,
});

/** What an execution changed in an account. */
export type AccountChanges = z.output<typeof accountChangesSchema>;

/** The accounts that an execution changed, as `stateDiff` of OpenEthereum and Erigon has them. */
export const changedAccountsCodec = z.codec(
  z.record(
    z.string().refine((key) => addressCodec.safeDecode(key).success, 'must be an address'),
    accountChangesSchema,
  ),
  z.custom<ReadonlyMap<Address, AccountChanges>>((value) => value instanceof Map),
  {
    decode: (accounts) =>
      new Map(Object.entries(accounts).map(([address, changes]) => [parseAddress(address), changes])),
    encode: (accounts) => Object.fromEntries(accounts) as Record<string, AccountChanges>,
  },
);

export type ChangedAccounts = z.output<typeof changedAccountsCodec>;
