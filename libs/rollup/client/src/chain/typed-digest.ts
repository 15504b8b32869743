import { encodeSignature65, keccak256, type RecoverableSignature } from '@tetrad/crypto';
import { encodeWord } from '@tetrad/rollup-crypto';
import { hexFromBytes, type Address, type Hex } from '@tetrad/types';

/** A contract of a chain, which a signature is valid for. */
export interface ContractPlace {
  readonly chainId: bigint;
  readonly contract: Address;
}

/** As OwedPayments.sol has them. */
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const NAME = 'Tetrad Rollup';
const VERSION = '3';
/** Signatures of the chain say the parity as 27 or 28. */
const FIRST_V = 27;

/**
 * What is signed of a struct with the domain of a rollup contract (EIP-712):
 *
 * `keccak256(0x1901(2) ‖ domain(32) ‖ struct(32))`, where
 * `domain = keccak256(hash of the type(32) ‖ hash of the name(32) ‖ hash of the version(32) ‖ chain id(32) ‖ contract(32))` and
 * `struct = keccak256(hash of the type(32) ‖ each field(32))`.
 *
 * @param rollup - chain and contract
 * @param type - of the struct, as EIP-712 writes it
 * @param fields - of the struct, each of them one word
 * @returns 32 bytes
 */
export function typedDigest(rollup: ContractPlace, type: string, fields: readonly bigint[]): Uint8Array {
  const { chainId, contract } = rollup;
  const domain = hashOf([
    hashText(DOMAIN_TYPE),
    hashText(NAME),
    hashText(VERSION),
    encodeWord(chainId),
    encodeWord(BigInt(contract)),
  ]);
  const struct = hashOf([hashText(type), ...fields.map((field) => encodeWord(field))]);
  return hashOf([Uint8Array.of(0x19, 0x01), domain, struct]);
}

/** @returns `r(32) ‖ s(32) ‖ v(1)`, with v as 27 or 28 */
export function typedSignature(signature: RecoverableSignature): Hex {
  const bytes = encodeSignature65(signature);
  return hexFromBytes(bytes.with(64, FIRST_V + signature.parity));
}

/**
 * Reads what `typedSignature` writes.
 *
 * @param bytes - 65 of them
 * @returns undefined for another length or parity
 */
export function parseTypedSignature(bytes: Uint8Array): RecoverableSignature | undefined {
  const parity = (bytes[64] ?? 0) - FIRST_V;
  if (bytes.length !== 65 || (parity !== 0 && parity !== 1)) return undefined;
  return { r: bytes.slice(0, 32), s: bytes.slice(32, 64), parity };
}

const hashText = (text: string): Uint8Array => keccak256(Buffer.from(text));
const hashOf = (parts: readonly Uint8Array[]): Uint8Array => keccak256(Buffer.concat(parts));
