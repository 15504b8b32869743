import { bytesFromHex } from '@tetrad/types';
import { keccak256 } from '@tetrad/crypto';
import { TypedDataEncoder } from 'ethers/hash';

/** EIP-712 data. */
export interface TypedMessage {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const DOMAIN = 'EIP712Domain';

/** The data do not fit their types. */
export class TypedDataError extends Error {
  override readonly name = 'TypedDataError';
}

/**
 * What is signed for typed data.
 *
 * Layout: keccak-256 of 0x19 ‖ 0x01 ‖ domain hash (32) ‖ struct hash (32); the last is left out when the domain
 *         itself is the primary type
 * Fails:  TypedDataError with what is wrong
 */
export function typedDataDigest(data: TypedMessage): Uint8Array {
  try {
    const domain = bytesFromHex(hashDomain(data));
    if (data.primaryType === DOMAIN) return keccak256(Buffer.concat([Uint8Array.of(0x19, 0x01), domain]));
    const struct = TypedDataEncoder.hashStruct(data.primaryType, reachable(data), { ...data.message });
    return keccak256(Buffer.concat([Uint8Array.of(0x19, 0x01), domain, bytesFromHex(struct)]));
  } catch (error) {
    if (error instanceof TypedDataError) throw error;
    throw new TypedDataError(problemOf(error));
  }
}

/** By the fields that the data declare for it; by those that are given when they declare none. */
function hashDomain({ types, domain }: TypedMessage): string {
  const fields = types[DOMAIN];
  return fields === undefined
    ? TypedDataEncoder.hashDomain({ ...domain })
    : TypedDataEncoder.hashStruct(DOMAIN, { [DOMAIN]: [...fields] }, { ...domain });
}

/** The types that the primary one is made of: ethers wants no others, senders often give more. */
function reachable({ types, primaryType }: TypedMessage) {
  const found = new Map<string, { name: string; type: string }[]>();
  const pending = [primaryType];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const fields = Object.hasOwn(types, name) ? types[name] : undefined;
    if (fields === undefined || found.has(name)) continue;
    found.set(name, [...fields]);
    pending.push(...fields.map(({ type }) => type.replace(/(?:\[\d*\])+$/, '')));
  }
  if (found.size === 0) throw new TypedDataError(`there is no type ${primaryType.slice(0, 80)}`);
  return Object.fromEntries(found);
}

/** The first words of an error of ethers; the rest repeats the data. */
function problemOf(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  return (shortMessage ?? message ?? 'cannot be hashed').slice(0, 200);
}
