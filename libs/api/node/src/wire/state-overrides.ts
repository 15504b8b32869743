import { addressCodec, countFirst, dataCodec, nonceCodec, quantityCodec } from '@tetrad/rpc';
import { parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { z } from 'zod';

/** Overrides of an account during one call; absent members are unchanged. */
export interface AccountOverride {
  /** Balance in wei. */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  /** The whole storage: every other slot is zero. */
  readonly state?: ReadonlyMap<Hash, Hash>;
  /** Single slots; the others stay. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash>;
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>;

const SLOT = /^0x[0-9a-fA-F]{1,64}$/;
const VALUE = /^0x[0-9a-fA-F]{0,64}$/;

/** Slot → value. Read by one loop: a schema for each text took eight times as long. */
const storageCodec = z.codec(
  z.record(z.string(), z.string()),
  z.custom<ReadonlyMap<Hash, Hash>>((value) => value instanceof Map),
  {
    decode: (texts, context) => {
      const slots = new Map<Hash, Hash>();
      for (const [slot, value] of Object.entries(texts)) {
        if (SLOT.test(slot) && VALUE.test(value)) slots.set(padded(slot), padded(value));
        else return refuseSlot(slot, value, context);
      }
      return slots;
    },
    encode: (slots) => Object.fromEntries(slots),
  },
);

function padded(text: string): Hash {
  return parseHash(`0x${text.slice(2).padStart(64, '0')}`);
}

function refuseSlot(slot: string, value: string, { issues }: z.core.ParsePayload): never {
  const message = 'must be a storage slot: 0x and at most 64 hex digits';
  issues.push({ code: 'custom', path: [slot], message, input: value, continue: false });
  return z.NEVER;
}

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

/** The problem with the numbers of accounts and slots, before one of them is read. */
function tooMany(accounts: unknown): string | undefined {
  if (typeof accounts !== 'object' || accounts === null) return undefined;
  const overrides = Object.values(accounts) as readonly unknown[];
  if (overrides.length > MAX_ACCOUNTS) return `must name at most ${MAX_ACCOUNTS} accounts`;
  const slots = overrides.reduce<number>((sum, override) => sum + countSlots(override), 0);
  return slots > MAX_SLOTS ? `must set at most ${MAX_SLOTS} slots` : undefined;
}

function countSlots(override: unknown): number {
  if (typeof override !== 'object' || override === null) return 0;
  const { state, stateDiff } = override as Readonly<Record<string, object | undefined>>;
  return Object.keys(state ?? {}).length + Object.keys(stateDiff ?? {}).length;
}

/** Address → override, the third parameter of eth_call. Unknown members are refused: they change the answer. */
export const stateOverridesCodec = countFirst(
  z.codec(
    z.record(
      z.string().refine((key) => addressCodec.safeDecode(key).success, 'must be an address'),
      accountOverrideCodec,
    ),
    z.custom<StateOverrides>((value) => value instanceof Map),
    {
      decode: (accounts): StateOverrides =>
        new Map(
          Object.entries(accounts).map(([address, override]) => [
            parseAddress(address),
            stripAbsent(override),
          ]),
        ),
      encode: (overrides) => Object.fromEntries(overrides),
    },
  ),
  tooMany,
);

function stripAbsent(override: z.output<typeof accountOverrideCodec>): AccountOverride {
  return Object.fromEntries(Object.entries(override).filter(([, member]) => member !== undefined));
}
