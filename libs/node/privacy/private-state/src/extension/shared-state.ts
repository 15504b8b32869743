import { keccak256 } from '@tetrad/crypto';
import {
  bytesFromHex,
  hexFromBytes,
  isHash,
  isHex,
  parseHash,
  type Address,
  type Hash,
  type Hex,
} from '@tetrad/types';
import { z } from 'zod';

/** The whole account of a contract, as parties send it to a new party. */
export interface SharedState {
  readonly nonce: bigint;
  /** Balance in wei. */
  readonly balance: bigint;
  readonly storageRoot: Hash;
  readonly codeHash: Hash;
  readonly code: Uint8Array;
  /** Slot (32 bytes as hex) → value, as hex without leading zeros. */
  readonly storage: ReadonlyMap<Hash, Hex>;
}

/** Maximum size of a shared state in bytes: some 50,000 slots. Managers of ours take 10 MiB, in base64. */
export const MAX_SHARED_STATE_BYTES = 7 * 1_048_576;

/**
 * The payload with which a state is shared.
 *
 * Layout: JSON {"<address with its checksum>":{"state":{balance: decimal, nonce, root, codeHash, code, storage}}}, hex without
 *         0x but for the keys of `storage`
 * Source: docs/spec/contract-extension.md#shared-state and #course
 */
export function encodeSharedState(contract: Address, state: SharedState): Uint8Array {
  const bare = (hex: string) => hex.slice(2);
  const { nonce, balance, storageRoot, codeHash, code, storage } = state;
  const dump = {
    balance: balance.toString(),
    nonce: Number(nonce),
    root: bare(storageRoot),
    codeHash: bare(codeHash),
    code: bare(hexFromBytes(code)),
    storage: Object.fromEntries([...storage].map(([slot, value]) => [slot, bare(value)])),
  };
  return new TextEncoder().encode(JSON.stringify({ [withChecksum(contract)]: { state: dump } }));
}

const hex = z
  .string()
  .transform((text) => (text.startsWith('0x') ? text : `0x${text}`))
  .refine((text) => isHex(text), 'not hexadecimal');
const hash = hex.refine(isHash, 'not 32 bytes').transform(parseHash);
const decimal = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 256n);
const value = z
  .string()
  .regex(/^(?:0x)?[0-9a-fA-F]{1,64}$/)
  .transform((text): Hex => `0x${text.replace(/^0x/, '').padStart(64, '0')}`);

const stateSchema = z.object({
  balance: decimal,
  nonce: z.int().nonnegative(),
  root: hash,
  codeHash: hash,
  code: hex,
  storage: z.record(hash, value).nullish(),
});

/** @returns undefined unless the payload is a state of this contract only, with the checksum of its address */
export function decodeSharedState(payload: Uint8Array, contract: Address): SharedState | undefined {
  const account = readAccount(payload, withChecksum(contract));
  const parsed = stateSchema.safeParse(account);
  if (!parsed.success) return undefined;
  const { nonce, balance, root, codeHash, code, storage } = parsed.data;
  return {
    nonce: BigInt(nonce),
    balance,
    storageRoot: root,
    codeHash,
    code: bytesFromHex(code),
    storage: new Map(Object.entries(storage ?? {}).map(([slot, held]) => [parseHash(slot), held])),
  };
}

function readAccount(payload: Uint8Array, key: string): unknown {
  if (payload.length > MAX_SHARED_STATE_BYTES) return undefined;
  try {
    const accounts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    if (typeof accounts !== 'object' || accounts === null || Object.keys(accounts).length !== 1)
      return undefined;
    return (accounts as Readonly<Record<string, { readonly state?: unknown } | undefined>>)[key]?.state;
  } catch {
    return undefined;
  }
}

/** EIP-55: a letter is a capital where the digit of the hash of the address is 8 or more. */
function withChecksum(address: Address): string {
  const digits = address.slice(2);
  const digest = Buffer.from(keccak256(Buffer.from(digits))).toString('hex');
  return `0x${[...digits].map((one, at) => (parseInt(digest[at] as string, 16) > 7 ? one.toUpperCase() : one)).join('')}`;
}
