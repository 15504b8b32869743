import { JsonRpcProvider, type BaseWallet, type FetchRequest, type JsonRpcApiProviderOptions } from 'ethers';
import type { Hash } from 'viem';
import type { PrivacyParameters } from '../private/privacy.js';
import { privateActions, type PrivateActions } from '../private/private-actions.js';
import type {
  WaitForPrivateReceiptParameters,
  WaitForPrivateReceiptReturnType,
} from '../private/waitForPrivateReceipt.js';
import { clientOfProvider } from './client-of-provider.js';
import { PrivateSigner } from './PrivateSigner.js';

/**
 * A provider of ethers whose signers send privately.
 *
 * @example
 * const provider = new PrivateProvider('http://127.0.0.1:22000', { privateFor: [partyKey] })
 * const signer = await provider.getPrivateSigner()
 * const contract = new Contract(address, abi, signer)
 */
export class PrivateProvider extends JsonRpcProvider {
  readonly privacy: Partial<PrivacyParameters>;
  /** The private actions of this package, asked through this provider. */
  readonly privateActions: PrivateActions;

  /**
   * @param url - of a node that has a private transaction manager
   * @param privacy - who sees the transactions of its signers, and how they are protected
   * @param options - of ethers' provider
   */
  constructor(
    url: string | FetchRequest,
    privacy: Partial<PrivacyParameters> = {},
    options?: JsonRpcApiProviderOptions,
  ) {
    super(url, undefined, options);
    this.privacy = privacy;
    this.privateActions = privateActions()(clientOfProvider(this));
  }

  /**
   * A signer that sends privately.
   *
   * @param account - an account of the node by address or index, the first by default; or a wallet with its key
   * @param privacy - in place of the provider's
   */
  async getPrivateSigner(
    account: string | number | BaseWallet = 0,
    privacy: Partial<PrivacyParameters> = {},
  ): Promise<PrivateSigner> {
    const signer = typeof account === 'object' ? account.connect(this) : await this.getSigner(account);
    return new PrivateSigner(signer, { ...this.privacy, ...privacy });
  }

  /** Waits until a transaction is mined and its private state is known (`waitForPrivateReceipt`). */
  waitForPrivateTransaction(
    hash: string,
    waiting: Omit<WaitForPrivateReceiptParameters, 'hash'> = {},
  ): Promise<WaitForPrivateReceiptReturnType> {
    return this.privateActions.waitForPrivateReceipt({ ...waiting, hash: hash as Hash });
  }
}
