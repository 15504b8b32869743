import type { Keystore } from '@tetrad/keystore';
import {
  RefusalError,
  isAddress,
  parseAddress,
  type AccessListEntry,
  type Address,
  type Hash,
} from '@tetrad/types';
import { NonceTurns } from './nonce-turns.js';
import { DEFAULT_GAS, DEFAULT_GAS_PRICE } from './params.js';
import { signTransaction } from './sign-transaction.js';

/** A public transaction as callers ask for it; what is left out takes the defaults. */
export interface SendRequest {
  /** Name of the account: its address in lower case. */
  readonly from: string;
  readonly to?: Address | undefined;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
  readonly chainId?: bigint | undefined;
}

/** The Ethereum client behind the proxy, as sending sees it. */
export interface Submitter {
  /** Nonce of the account's next transaction, pending ones counted. */
  pendingNonce(account: Address): Promise<bigint>;
  submit(raw: Uint8Array): Promise<Hash>;
}

export interface PublicSenderOptions {
  readonly chainId: bigint;
  readonly keystore: Keystore;
  readonly downstream: Submitter;
}

/** Signs public transactions and submits them, giving each account's sends consecutive nonces. */
export class PublicSender {
  private readonly turns: NonceTurns;

  constructor(private readonly options: PublicSenderOptions) {
    this.turns = new NonceTurns((account) => options.downstream.pendingNonce(account));
  }

  accounts(): readonly Address[] {
    return this.options.keystore.list();
  }

  /**
   * Fails: RefusalError SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT or CHAIN_ID_MISMATCH before the client is asked
   * anything; the client's own answer as it came
   */
  async send(request: SendRequest): Promise<Hash> {
    const account = this.accountOf(request.from);
    this.assertChain(request.chainId);
    const submit = (nonce: bigint) => this.options.downstream.submit(this.sign(request, account, nonce));
    return request.nonce === undefined ? this.turns.take(account, submit) : submit(request.nonce);
  }

  private sign(request: SendRequest, account: Address, nonce: bigint): Uint8Array {
    const { to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, value, data, accessList } = request;
    const transaction = {
      chainId: this.options.chainId,
      nonce,
      gasLimit: gas ?? DEFAULT_GAS,
      to,
      value: value ?? 0n,
      data: data ?? new Uint8Array(0),
      gasPrice: gasPrice ?? DEFAULT_GAS_PRICE,
      maxFeePerGas,
      maxPriorityFeePerGas,
      accessList,
    };
    return signTransaction(transaction, account, this.options.keystore);
  }

  private accountOf(name: string): Address {
    const account = isAddress(name) ? parseAddress(name) : undefined;
    if (account === undefined || !this.options.keystore.has(account)) {
      throw new RefusalError(
        'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
        'No unlocked account matches the Sender',
      );
    }
    return account;
  }

  private assertChain(chainId: bigint | undefined): void {
    if (chainId !== undefined && chainId !== this.options.chainId) {
      throw new RefusalError(
        'CHAIN_ID_MISMATCH',
        `Wrong chainId: ${chainId} instead of ${this.options.chainId}`,
      );
    }
  }
}
