import { addressCodec, dataCodec, hashCodec, quantityCodec } from '@tetrad/rpc';
import { parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { integerCodec } from './integer.js';

const slotsCodec = z.codec(
  z.record(z.string().regex(/^0x[0-9a-fA-F]{64}$/), hashCodec),
  z.custom<ReadonlyMap<Hash, Hash>>((value) => value instanceof Map),
  {
    decode: (slots) => new Map(Object.entries(slots).map(([slot, value]) => [parseHash(slot), value])),
    encode: (slots) => Object.fromEntries(slots) as Record<string, Hash>,
  },
);

const accountCodec = z.strictObject({
  balance: quantityCodec.optional(),
  nonce: integerCodec.optional(),
  code: dataCodec.optional(),
  storage: slotsCodec.optional(),
});

type AccountView = z.output<typeof accountCodec>;

const accountsCodec = z.codec(
  z.record(
    z.string().refine((key) => addressCodec.safeDecode(key).success, 'must be an address'),
    accountCodec,
  ),
  z.custom<ReadonlyMap<Address, AccountView>>((value) => value instanceof Map),
  {
    decode: (accounts) =>
      new Map(Object.entries(accounts).map(([address, account]) => [parseAddress(address), account])),
    encode: (accounts) => Object.fromEntries(accounts) as Record<string, AccountView>,
  },
);

/** Accounts before and after, as geth's `prestateTracer` gives them in diff mode; what did not change is left out. */
export const stateDifferenceCodec = z.strictObject({ pre: accountsCodec, post: accountsCodec });

/** Accounts that an execution needs, as they were before it. */
export const prestateCodec = accountsCodec;

/** `0x`, 4 bytes, `-` and the bytes of the arguments → how often it was called, as geth's `4byteTracer` gives it. */
export const selectorCountsSchema = z.record(
  z.string().regex(/^0x[0-9a-f]{8}-[0-9]{1,10}$/),
  z.int().positive(),
);

/** Opcodes, or sequences of them joined by `-` → how often they were executed. */
export const opcodeCountsSchema = z.record(z.string().max(120), z.int().positive());
