import {
  AbiCoder,
  AbstractSigner,
  BaseWallet,
  JsonRpcApiProvider,
  JsonRpcSigner,
  type Provider,
  type Signer,
  type TransactionLike,
  type TransactionRequest,
  type TransactionResponse,
  type TypedDataDomain,
  type TypedDataField,
} from 'ethers';
import type { Account, Address, Hash, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseAccount } from 'viem/utils';
import { AccountCannotSignPrivatelyError } from '../errors/account-errors.js';
import { InvalidPrivacyError } from '../errors/privacy-errors.js';
import { revertDataOf } from '../errors/request-error.js';
import type { PrivacyParameters } from '../private/privacy.js';
import { sendPrivateTransaction } from '../private/sendPrivateTransaction.js';
import { clientOfProvider } from './client-of-provider.js';
import { privateContent } from './private-content.js';
import { sentTransaction } from './sent-transaction.js';

/**
 * A signer of ethers whose transactions only their parties can read. Contracts and factories take it like any other signer;
 * `customData` of a call has privacy parameters in place of those given here.
 *
 * @example
 * const signer = new PrivateSigner(new Wallet(key, provider), { privateFor: [partyKey] })
 * const contract = await new ContractFactory(abi, bytecode, signer).deploy(42n)
 * await (await contract.set(43n, { customData: { privateFor: [partyKey, otherKey] } })).wait()
 */
export class PrivateSigner extends AbstractSigner<JsonRpcApiProvider> {
  readonly signer: Signer;
  readonly privacy: Partial<PrivacyParameters>;

  /**
   * @param signer - an account of the node (`provider.getSigner(address)`), or a wallet with its key
   * @param privacy - who sees the transactions, and how they are protected
   * @throws InvalidPrivacyError when the signer has no JSON-RPC provider
   */
  constructor(signer: Signer, privacy: Partial<PrivacyParameters> = {}) {
    super(jsonRpcProviderOf(signer.provider));
    this.signer = signer;
    this.privacy = privacy;
  }

  override getAddress(): Promise<string> {
    return this.signer.getAddress();
  }

  override connect(provider: Provider | null): PrivateSigner {
    return new PrivateSigner(this.signer.connect(provider), this.privacy);
  }

  /** The same account, with other recipients or protection. */
  withPrivacy(privacy: Partial<PrivacyParameters>): PrivateSigner {
    return new PrivateSigner(this.signer, { ...this.privacy, ...privacy });
  }

  /** Sends a private transaction; its recipients are those of the signer, or of `customData`. */
  override async sendTransaction(request: TransactionRequest): Promise<TransactionResponse> {
    const transaction = await this.populateCall(request);
    const content = privateContent(transaction);
    const privacy = { ...this.privacy, ...(request.customData as Partial<PrivacyParameters> | undefined) };
    const account = await this.sendingAccount();
    const block = await this.provider.getBlockNumber();
    let hash: Hash;
    try {
      const client = clientOfProvider(this.provider);
      // Without `privateFor` it is refused by its name.
      hash = await sendPrivateTransaction(client, { ...content, ...(privacy as PrivacyParameters), account });
    } catch (error) {
      throw asCallException(error, transaction);
    }
    return sentTransaction(this.provider, hash, block);
  }

  /** Signs a public transaction: a private one is signed over the hash of a payload that the node stores. */
  override signTransaction(request: TransactionRequest): Promise<string> {
    return this.signer.signTransaction(request);
  }

  /** Signs a message, with the key of the signer that it wraps. */
  override signMessage(message: string | Uint8Array): Promise<string> {
    return this.signer.signMessage(message);
  }

  /** Signs typed data (EIP-712), with the key of the signer that it wraps. */
  override signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    return this.signer.signTypedData(domain, types, value);
  }

  private async sendingAccount(): Promise<Account> {
    const { signer } = this;
    const address = (await signer.getAddress()) as Address;
    if (signer instanceof JsonRpcSigner) return parseAccount(address);
    if (signer instanceof BaseWallet) return privateKeyToAccount(signer.privateKey as Hex);
    throw new AccountCannotSignPrivatelyError({ address, type: signer.constructor.name });
  }
}

function jsonRpcProviderOf(provider: Provider | null): JsonRpcApiProvider {
  if (provider instanceof JsonRpcApiProvider) return provider;
  throw new InvalidPrivacyError({
    field: 'signer',
    problem: 'has no JSON-RPC provider, through which the private transaction is sent',
  });
}

/** A revert while gas is estimated, as ethers' contracts throw it; any other error as it is. */
function asCallException(error: unknown, { from, to, data }: TransactionLike<string>): unknown {
  const reverted = revertDataOf(error);
  if (reverted === undefined) return error;
  const call = { from: from ?? null, to: to ?? null, data: data ?? '0x' };
  return AbiCoder.getBuiltinCallException('estimateGas', call, reverted);
}
