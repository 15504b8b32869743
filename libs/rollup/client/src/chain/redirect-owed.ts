import { addressFromPrivateKey, signDigest } from '@tetrad/crypto';
import type { EthereumReceipt } from '@tetrad/rollup-chain';
import type { Address, Hex } from '@tetrad/types';
import type { RollupContract } from './rollup-contract.js';
import type { SendOptions } from './send-transaction.js';
import { typedDigest, typedSignature, type ContractPlace } from './typed-digest.js';

/** The struct that is signed (EIP-712), as OwedPayments.sol has it. */
export interface Redirection {
  /** Whom the contract owes. */
  readonly recipient: Address;
  readonly tokenId: number;
  /** Who is paid in its place. */
  readonly to: Address;
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
}

const REDIRECTION_TYPE =
  'RedirectOwed(address recipient,uint256 tokenId,address to,uint256 nonce,uint256 deadline)';
/** Long enough for a transaction that waits. */
const VALID_SECONDS = 3_600;

/**
 * Signs who is paid what the contract owes.
 *
 * @param rollup - chain and contract
 * @param redirection - what is signed
 * @param privateKey - of the recipient
 * @returns `r(32) ‖ s(32) ‖ v(1)`
 */
export function signRedirection(
  rollup: ContractPlace,
  { recipient, tokenId, to, nonce, deadline }: Redirection,
  privateKey: Uint8Array,
): Hex {
  const words = [BigInt(recipient), BigInt(tokenId), BigInt(to), nonce, BigInt(deadline)];
  return typedSignature(signDigest(typedDigest(rollup, REDIRECTION_TYPE, words), privateKey));
}

/**
 * Has another address paid what the contract owes to that of a key: the token has blocked it, say.
 *
 * @param contract - with the rules of docs/adr/0241
 * @param wanted - token, who is paid, and the key of whom it is owed to
 * @param options - who sends it, which may be another
 * @returns the receipt
 * @throws ContractRefusal when nothing is owed, or the payment fails again; as `RollupContract.send`
 */
export async function redirectOwed(
  contract: RollupContract,
  wanted: { readonly tokenId: number; readonly to: Address; readonly recipientKey: Uint8Array },
  options: SendOptions,
): Promise<EthereumReceipt> {
  const { tokenId, to, recipientKey } = wanted;
  const recipient = addressFromPrivateKey(recipientKey);
  const [chainId, nonce, { timestamp }] = await Promise.all([
    contract.client.chainId(),
    contract.read('redirectionNonces', [recipient]),
    contract.client.head(),
  ]);
  const deadline = timestamp + VALID_SECONDS;
  const redirection = { recipient, tokenId, to, nonce, deadline };
  const signature = signRedirection({ chainId, contract: contract.address }, redirection, recipientKey);
  return contract.send('redirectOwed', [recipient, tokenId, to, deadline, signature], options);
}
