import { encodeSignature65 } from '@tetrad/crypto';
import type { Keystore } from '@tetrad/keystore';
import { bytesFromHex, hexFromBytes, type AccessListEntry, type Address } from '@tetrad/types';
import { Signature, Transaction } from 'ethers';

/** A public transaction with everything decided; the fee members that are set say which type it is. */
export interface UnsignedTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly to?: Address | undefined;
  /** Wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Wei; for legacy and access-list transactions. */
  readonly gasPrice?: bigint | undefined;
  /** Wei; for dynamic-fee transactions. */
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
}

/**
 * The raw bytes of the transaction, signed with the account's key (EIP-155 for legacy ones).
 *
 * Fails: KeystoreError when the account is not in the keystore
 */
export function signTransaction(
  transaction: UnsignedTransaction,
  account: Address,
  keystore: Keystore,
): Uint8Array {
  const envelope = Transaction.from({
    type: typeOf(transaction),
    chainId: transaction.chainId,
    nonce: Number(transaction.nonce),
    gasLimit: transaction.gasLimit,
    to: transaction.to ?? null,
    value: transaction.value,
    data: hexFromBytes(transaction.data),
    ...feesOf(transaction),
    ...(transaction.accessList === undefined
      ? {}
      : {
          accessList: transaction.accessList.map((entry) => ({
            ...entry,
            storageKeys: [...entry.storageKeys],
          })),
        }),
  });
  const bytes = encodeSignature65(keystore.sign(account, bytesFromHex(envelope.unsignedHash)));
  bytes[64] = 27 + (bytes[64] as number);
  envelope.signature = Signature.from(hexFromBytes(bytes));
  return bytesFromHex(envelope.serialized);
}

function typeOf({ maxFeePerGas, maxPriorityFeePerGas, accessList }: UnsignedTransaction): 0 | 1 | 2 {
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return 2;
  return accessList === undefined ? 0 : 1;
}

function feesOf(transaction: UnsignedTransaction) {
  if (typeOf(transaction) !== 2) return { gasPrice: transaction.gasPrice ?? 0n };
  const tip = transaction.maxPriorityFeePerGas ?? 0n;
  return { maxFeePerGas: transaction.maxFeePerGas ?? tip, maxPriorityFeePerGas: tip };
}
