import { ethMethods, ethStandardMethods } from '@tetrad/api-node';
import { RpcTransportError, createRpcClient } from '@tetrad/rpc';
import {
  OperatorError,
  bytesFromHex,
  hexFromBytes,
  pause,
  type Address,
  type Clock,
  type Hash,
  type Hex,
} from '@tetrad/types';

const METHODS = {
  eth_sendTransaction: ethMethods.eth_sendTransaction,
  eth_getTransactionReceipt: ethStandardMethods.eth_getTransactionReceipt,
  eth_call: ethStandardMethods.eth_call,
};
/** How often the receipt of a transaction is polled. */
const POLL_MS = 200;
/** More than any answer that is expected here. */
const MAX_ANSWER_BYTES = 1_000_000;
const CALL_TIMEOUT_MS = 60_000;

export interface RemoteAccountOptions {
  /** JSON-RPC of the Ethereum client that has the account, and signs for it. */
  readonly url: string;
  readonly address: Address;
  readonly clock: Clock;
  /** Longest wait for one transaction to be mined. */
  readonly timeoutMs: number;
}

/** An account of an Ethereum client that sends one transaction after the other. Errors of calls are the client's. */
export class RemoteAccount {
  private readonly client;

  constructor(private readonly options: RemoteAccountOptions) {
    const { url } = options;
    this.client = createRpcClient(METHODS, {
      url,
      timeoutMs: CALL_TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      connections: 1,
    });
  }

  /** @throws OperatorError when it is reverted or not mined in time */
  readonly create = async (code: Hex): Promise<Address> => {
    const { contractAddress } = await this.mined({ data: bytesFromHex(code) });
    if (contractAddress === null) throw new OperatorError('a creation was mined without an address');
    return contractAddress;
  };

  /** @throws OperatorError when it is reverted or not mined in time */
  readonly send = async (to: Address, data: Hex): Promise<void> => {
    await this.mined({ to, data: bytesFromHex(data) });
  };

  readonly ask = async (to: Address, data: Hex): Promise<Hex> => {
    const request = { from: this.options.address, to, data: bytesFromHex(data) };
    return hexFromBytes(await this.client.call('eth_call', [request]));
  };

  close(): Promise<void> {
    return this.client.close();
  }

  private async mined(request: { readonly to?: Address; readonly data: Uint8Array }) {
    const { address, clock, timeoutMs } = this.options;
    const hash = await this.client.call('eth_sendTransaction', [{ from: address, ...request }]);
    const deadline = clock.now() + timeoutMs;
    for (;;) {
      const receipt = await this.receipt(hash);
      if (receipt !== null && receipt.status !== 1)
        throw new OperatorError(`transaction ${hash} was reverted`);
      if (receipt !== null) return receipt;
      if (clock.now() > deadline)
        throw new OperatorError(`transaction ${hash} was not mined in ${timeoutMs / 1_000} seconds`);
      await pause(clock, POLL_MS);
    }
  }

  /** Retries, so that a short outage of the client does not end a running deployment. */
  private receipt(hash: Hash) {
    return this.client.call('eth_getTransactionReceipt', [hash]).catch((error: unknown) => {
      if (error instanceof RpcTransportError) return null;
      throw error;
    });
  }
}
