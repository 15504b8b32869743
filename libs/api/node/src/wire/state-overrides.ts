import { addressCodec, dataCodec, quantityCodec } from '@tetrad/rpc';
import { parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { storageSlotCodec } from './text.js';

/** What an account looks like during one call; absent members stay as they are in the state. */
export interface AccountOverride {
  /** Wei. */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  /** The whole storage: every other slot is zero. */
  readonly state?: ReadonlyMap<Hash, Hash>;
  /** Single slots; the others stay. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash>;
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>;

const storageText = z.record(z.string().regex(/^0x[0-9a-fA-F]{1,64}$/), storageSlotCodec);

const storageCodec = z.codec(
  storageText,
  z.custom<ReadonlyMap<Hash, Hash>>((value) => value instanceof Map),
  {
    decode: (slots) =>
      new Map(
        Object.entries(slots).map(([slot, value]) => [
          parseHash(`0x${slot.slice(2).padStart(64, '0')}`),
          value,
        ]),
      ),
    encode: (slots) => Object.fromEntries(slots),
  },
);

const accountOverrideCodec = z
  .object({
    balance: quantityCodec.optional(),
    nonce: quantityCodec.optional(),
    code: dataCodec.optional(),
    state: storageCodec.optional(),
    stateDiff: storageCodec.optional(),
  })
  .strict()
  .refine(({ state, stateDiff }) => !(state && stateDiff), {
    path: ['stateDiff'],
    message: "has both 'state' and 'stateDiff'",
  });

/** Address → override, the third parameter of eth_call. Unknown members are refused: they change the answer. */
export const stateOverridesCodec = z.codec(
  z.record(
    z.string().refine((key) => addressCodec.safeDecode(key).success, 'must be an address'),
    accountOverrideCodec,
  ),
  z.custom<StateOverrides>((value) => value instanceof Map),
  {
    decode: (accounts): StateOverrides =>
      new Map(
        Object.entries(accounts).map(([address, override]) => [parseAddress(address), stripAbsent(override)]),
      ),
    encode: (overrides) => Object.fromEntries(overrides),
  },
);

function stripAbsent(override: z.output<typeof accountOverrideCodec>): AccountOverride {
  return Object.fromEntries(Object.entries(override).filter(([, member]) => member !== undefined));
}
