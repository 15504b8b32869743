import { addressCodec, dataCodec, nonceCodec, quantityCodec } from '@tetrad/rpc';
import { parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { storageSlotCodec } from './text.js';

/** Overrides of an account during one call; absent members are unchanged. */
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

/**
 * Code that is much larger than what can be deployed. Each call to it makes a map of its jumps, so that a contract of
 * megabytes that calls itself would fill the memory for little gas.
 */
const MAX_CODE_BYTES = 262_144;
/** Accounts and slots of one call. */
const MAX_ACCOUNTS = 1_000;
const MAX_SLOTS = 20_000;

const codeCodec = z.codec(
  dataCodec.in.max(2 + 2 * MAX_CODE_BYTES, `must have at most ${MAX_CODE_BYTES} bytes`),
  dataCodec.out,
  { decode: (text) => z.decode(dataCodec, text), encode: (code) => z.encode(dataCodec, code) },
);

const accountOverrideCodec = z
  .object({
    balance: quantityCodec.optional(),
    nonce: nonceCodec.optional(),
    code: codeCodec.optional(),
    state: storageCodec.optional(),
    stateDiff: storageCodec.optional(),
  })
  .strict()
  .refine(({ state, stateDiff }) => !(state && stateDiff), {
    path: ['stateDiff'],
    message: "has both 'state' and 'stateDiff'",
  });

/** Slots of all accounts together. */
function countSlots(accounts: Readonly<Record<string, z.output<typeof accountOverrideCodec>>>): number {
  return Object.values(accounts).reduce(
    (sum, { state, stateDiff }) => sum + (state?.size ?? 0) + (stateDiff?.size ?? 0),
    0,
  );
}

/** Address → override, the third parameter of eth_call. Unknown members are refused: they change the answer. */
export const stateOverridesCodec = z.codec(
  z
    .record(
      z.string().refine((key) => addressCodec.safeDecode(key).success, 'must be an address'),
      accountOverrideCodec,
    )
    .refine(
      (accounts) => Object.keys(accounts).length <= MAX_ACCOUNTS,
      `must name at most ${MAX_ACCOUNTS} accounts`,
    )
    .refine((accounts) => countSlots(accounts) <= MAX_SLOTS, `must set at most ${MAX_SLOTS} slots`),
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
