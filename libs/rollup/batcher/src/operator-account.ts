import { addressFromPrivateKey, signDigest, type RecoverableSignature } from '@tetrad/crypto';
import type { Fees } from '@tetrad/rollup-chain';
import { bytesFromHex, hexFromBytes, parseHash, type Address, type Hash } from '@tetrad/types';
import { Transaction } from 'ethers/transaction';

/** A transaction as it is before it is signed. */
export interface UnsignedTransaction {
  readonly chainId: bigint;
  /** Null to create a contract. */
  readonly to: Address | null;
  readonly data: Uint8Array;
  /** In wei; none by default. */
  readonly value?: bigint;
  readonly nonce: number;
  readonly gasLimit: bigint;
  readonly fees: Fees;
  /** Whether the chain has a base fee, and so knows transactions of type 2. */
  readonly hasBaseFee: boolean;
}

export interface SignedSubmission {
  readonly hash: Hash;
  readonly raw: Uint8Array;
}

/** What signs for the account: a key in memory, or one in a service. */
export interface SubmittingKey {
  readonly address: Address;
  /** Signature of a 32-byte digest, s in the lower half. */
  sign(digest: Uint8Array): Promise<RecoverableSignature>;
}

/** @param privateKey - 32 bytes, a scalar of the group; kept */
export function submittingKeyOf(privateKey: Uint8Array): SubmittingKey {
  return {
    address: addressFromPrivateKey(privateKey),
    sign: async (digest) => signDigest(digest, privateKey),
  };
}

/** The Ethereum account that submits batches. */
export class OperatorAccount {
  constructor(private readonly key: SubmittingKey) {}

  get address(): Address {
    return this.key.address;
  }

  /** @throws as the key; no signature with the nonce is used then */
  async sign(unsigned: UnsignedTransaction): Promise<SignedSubmission> {
    const { fees, hasBaseFee, data, ...fields } = unsigned;
    const prices = hasBaseFee
      ? { type: 2, maxFeePerGas: fees.maxFee, maxPriorityFeePerGas: fees.maxPriorityFee }
      : { type: 0, gasPrice: fees.maxFee };
    const transaction = Transaction.from({ value: 0n, ...fields, ...prices, data: hexFromBytes(data) });
    const { r, s, parity } = await this.key.sign(bytesFromHex(transaction.unsignedHash));
    transaction.signature = { r: hexFromBytes(r), s: hexFromBytes(s), yParity: parity };
    return { hash: parseHash(transaction.hash as string), raw: bytesFromHex(transaction.serialized) };
  }
}
