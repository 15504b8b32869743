import { bytesFromHex } from '@tetrad/types';
import { keccak256 } from '@tetrad/crypto';
import { TypedDataEncoder, type TypedDataField } from 'ethers/hash';
import { assertFits, typesOf, type StructTypes, TypedDataError } from './typed-data-bounds.js';

/** EIP-712 data. */
export interface TypedMessage {
  readonly types: StructTypes;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const DOMAIN = 'EIP712Domain';

/**
 * The digest that is signed for typed data.
 *
 * Layout: keccak-256 of 0x19 ‖ 0x01 ‖ domain hash (32) ‖ struct hash (32); the last is left out when the domain
 *         itself is the primary type
 *
 * Cost: linear in the data, and in the types up to their bounds: both are checked before they are passed to the library
 *
 * @throws TypedDataError with what is wrong
 */
export function typedDataDigest(data: TypedMessage): Uint8Array {
  try {
    const domain = bytesFromHex(hashDomain(data));
    if (data.primaryType === DOMAIN) return keccak256(Buffer.concat([Uint8Array.of(0x19, 0x01), domain]));
    const struct = hashStruct(
      data.primaryType,
      typesOf(data.primaryType, data.types),
      data.message,
      'message',
    );
    return keccak256(Buffer.concat([Uint8Array.of(0x19, 0x01), domain, bytesFromHex(struct)]));
  } catch (error) {
    if (error instanceof TypedDataError) throw error;
    throw new TypedDataError(problemOf(error));
  }
}

/** Fields of a domain that declares none. Source: EIP-712, "Definition of domainSeparator" */
const DOMAIN_FIELDS: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};

/** By the fields that the data declare for it; by those that are given when they declare none. */
function hashDomain({ types, domain }: TypedMessage): string {
  const fields = Object.hasOwn(types, DOMAIN) ? types[DOMAIN] : undefined;
  if (fields !== undefined) {
    return hashStruct(DOMAIN, typesOf(DOMAIN, { [DOMAIN]: fields }), domain, 'domain');
  }
  for (const [name, type] of Object.entries(DOMAIN_FIELDS)) {
    if (Object.hasOwn(domain, name)) assertFits(domain[name], type, {}, `domain.${name}`);
  }
  return TypedDataEncoder.hashDomain({ ...domain });
}

function hashStruct(
  name: string,
  types: StructTypes,
  value: Readonly<Record<string, unknown>>,
  place: string,
): string {
  assertFits(value, name, types, place);
  const fields = Object.entries(types).map(([type, members]): [string, TypedDataField[]] => [
    type,
    [...members],
  ]);
  return TypedDataEncoder.hashStruct(name, Object.fromEntries(fields), { ...value });
}

/** The first words of an error of ethers; the rest repeats the data. */
function problemOf(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  return (shortMessage ?? message ?? 'cannot be hashed').slice(0, 200);
}
