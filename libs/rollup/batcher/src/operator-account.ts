import { bytesFromHex, hexFromBytes, parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { SigningKey } from 'ethers/crypto';
import { Transaction, computeAddress } from 'ethers/transaction';
import type { Fees } from './fees.js';

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

/** The Ethereum account that submits batches. */
export class OperatorAccount {
  readonly address: Address;
  private readonly key: SigningKey;

  /** In: the private key, 32 bytes. Fails: TypeError when it is invalid */
  constructor(privateKey: Uint8Array) {
    this.key = new SigningKey(hexFromBytes(privateKey));
    this.address = parseAddress(computeAddress(this.key.publicKey));
  }

  sign(unsigned: UnsignedTransaction): SignedSubmission {
    const { fees, hasBaseFee, data, ...fields } = unsigned;
    const prices = hasBaseFee
      ? { type: 2, maxFeePerGas: fees.maxFee, maxPriorityFeePerGas: fees.maxPriorityFee }
      : { type: 0, gasPrice: fees.maxFee };
    const transaction = Transaction.from({ value: 0n, ...fields, ...prices, data: hexFromBytes(data) });
    transaction.signature = this.key.sign(transaction.unsignedHash);
    return { hash: parseHash(transaction.hash as string), raw: bytesFromHex(transaction.serialized) };
  }
}
