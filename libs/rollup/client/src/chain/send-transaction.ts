import { addressFromPrivateKey, keccak256, signDigest, type RecoverableSignature } from '@tetrad/crypto';
import { EthereumClient, type EthereumReceipt } from '@tetrad/rollup-chain';
import { envelopeOf } from '@tetrad/transactions';
import { TetradError, OperatorError, type Address, type Hash } from '@tetrad/types';

const TIMEOUT_MS = 60_000;

/** JSON-RPC with an Ethereum client. Calls fail with ChainUnavailableError or ChainRpcError. */
export function connectEthereum(url: string): EthereumClient {
  return new EthereumClient({ url, timeoutMs: TIMEOUT_MS });
}

export interface ContractCall {
  readonly to: Address;
  readonly data: Uint8Array;
  /** Value in wei. */
  readonly value?: bigint;
}

/** An account whose key signs elsewhere. */
export interface SendingAccount {
  readonly address: Address;
  /** Signature of a 32-byte digest. */
  sign(digest: Uint8Array): Promise<RecoverableSignature>;
}

export interface SendOptions {
  /** 32 bytes, or the account whose key signs elsewhere. */
  readonly key: Uint8Array | SendingAccount;
  /** Called as soon as the transaction can be looked up, before the wait for its receipt. */
  onSent?(hash: Hash): void;
  readonly signal?: AbortSignal | undefined;
  /** How long it is waited for. */
  readonly timeoutMs?: number;
  /**
   * Gas of the transaction; it is run as a call first. By default it is estimated, which runs a call some twenty times and
   * leaves too little to inner calls that may fail without failing it.
   */
  readonly gasLimit?: bigint;
  /** Nonce of the transaction; by default that behind all that the client has pending of the account. */
  readonly nonce?: number;
}

/** A transaction that was mined and did nothing. */
export class RevertedError extends TetradError {
  override readonly name = 'RevertedError';
  override readonly code = 'TRANSACTION_REVERTED';
}

const DEFAULT_TIMEOUT_MS = 300_000;
const POLL_MS = 250;

/**
 * Signs a call, submits it and waits until it is mined.
 * @throws ChainRpcError when the client refuses it or the call would revert; ChainUnavailableError; RevertedError;
 *   OperatorError when it is not mined in time, after which it may still be
 */
export async function sendTransaction(
  client: EthereumClient,
  call: ContractCall,
  options: SendOptions,
): Promise<EthereumReceipt> {
  const account = accountOf(options);
  const from = account.address;
  const value = call.value ?? 0n;
  const [chainId, nonce, gasPrice, gasLimit] = await Promise.all([
    client.chainId(),
    options.nonce ?? client.nonce(from, 'pending'),
    client.gasPrice(),
    gasFor(client, { ...call, from, value }, options.gasLimit),
  ]);
  const envelope = envelopeOf({
    chainId,
    nonce: BigInt(nonce),
    to: call.to,
    value,
    data: call.data,
    gasLimit,
    fees: { type: 'legacy', gasPrice },
  });
  const hash = await client.sendRaw(envelope.raw(await account.sign(keccak256(envelope.preimage()))));
  options.onSent?.(hash);
  const receipt = await waitForReceipt(client, hash, options);
  if (receipt.status !== 1) throw new RevertedError(`transaction ${hash} was reverted`);
  return receipt;
}

function accountOf({ key }: SendOptions): SendingAccount {
  if (!(key instanceof Uint8Array)) return key;
  return { address: addressFromPrivateKey(key), sign: async (digest) => signDigest(digest, key) };
}

/** @throws as the call does */
async function gasFor(
  client: EthereumClient,
  call: ContractCall & { readonly from: Address; readonly value: bigint },
  gasLimit: bigint | undefined,
): Promise<bigint> {
  // What else is mined before it may make it dearer.
  if (gasLimit === undefined) return ((await client.estimateGas(call)) * 5n) / 4n;
  await client.call({ ...call, gas: gasLimit });
  return gasLimit;
}

async function waitForReceipt(
  client: EthereumClient,
  hash: Hash,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: SendOptions,
): Promise<EthereumReceipt> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const receipt = await client.receipt(hash);
    if (receipt !== undefined) return receipt;
    signal?.throwIfAborted();
    if (Date.now() >= deadline)
      throw new OperatorError(
        `transaction ${hash} is not mined after ${timeoutMs / 1000} s; it may still be mined`,
      );
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}
