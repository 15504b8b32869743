import { addressFromPrivateKey, encodeSignature65, keccak256, signDigest } from '@tetrad/crypto';
import type { EthereumReceipt } from '@tetrad/rollup-chain';
import { encodeWord } from '@tetrad/rollup-crypto';
import { hexFromBytes, type Address, type Hex } from '@tetrad/types';
import type { RollupContract } from './rollup-contract.js';
import type { SendOptions } from './send-transaction.js';

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

const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const REDIRECTION_TYPE =
  'RedirectOwed(address recipient,uint256 tokenId,address to,uint256 nonce,uint256 deadline)';
const NAME = 'Tetrad Rollup';
const VERSION = '3';
/** Signatures of the chain say the parity as 27 or 28. */
const FIRST_V = 27;
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
  { chainId, contract }: { readonly chainId: bigint; readonly contract: Address },
  { recipient, tokenId, to, nonce, deadline }: Redirection,
  privateKey: Uint8Array,
): Hex {
  const domain = hashOf(hashText(DOMAIN_TYPE), hashText(NAME), hashText(VERSION), chainId, BigInt(contract));
  const content = hashOf(
    hashText(REDIRECTION_TYPE),
    BigInt(recipient),
    BigInt(tokenId),
    BigInt(to),
    nonce,
    BigInt(deadline),
  );
  const digest = keccak256(Buffer.concat([Buffer.from([0x19, 0x01]), domain, content]));
  const signature = encodeSignature65(signDigest(digest, privateKey));
  return hexFromBytes(signature.with(64, FIRST_V + (signature[64] as number)));
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

const hashText = (text: string): Uint8Array => keccak256(Buffer.from(text));

/** @param parts - words, and hashes of what has another length */
function hashOf(...parts: readonly (bigint | Uint8Array)[]): Uint8Array {
  return keccak256(Buffer.concat(parts.map((part) => (typeof part === 'bigint' ? encodeWord(part) : part))));
}
