import type { RpcAnswer } from '../running-signer.js';

/** Chain of both clients. */
export const CLIENT_CHAIN = 1337;

/** A real Ethereum client in a separate process: gas is free, and it holds no account. */
export interface EthereumClient {
  readonly port: number;
  /** The client's answer to a direct request, without the signer. */
  ask(method: string, params?: readonly unknown[]): Promise<RpcAnswer>;
  /** The result of a call that must succeed. */
  result<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * Does work that sends transactions before those ahead of them are mined. A client that would lose sight of one that
   * comes while the one ahead of it is being mined makes no block meanwhile.
   */
  sendingAhead<T>(work: () => Promise<T>): Promise<T>;
  /** The receipt of a transaction, once it is mined. */
  mined(hash: unknown): Promise<Receipt>;
  stop(): Promise<void>;
}

export interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly contractAddress: string | null;
}

export interface ClientSetup {
  /** Who owns something at block 0. */
  readonly owner: string;
  /** Where callers have to show a token: the public key that verifies tokens, and one that may call every method. */
  readonly access?: { readonly keyFile: string; readonly token: string };
}

/** The calls of a client at the port. */
export function clientAt(port: number, token?: string): Omit<EthereumClient, 'sendingAhead' | 'stop'> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = async (method: string, params: readonly unknown[] = []): Promise<RpcAnswer> => {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as RpcAnswer;
  };
  const result = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const answer = await ask(method, params);
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as T;
  };
  return {
    port,
    ask,
    result,
    // The test's own time-out ends a wait in vain.
    async mined(hash) {
      for (;;) {
        const receipt = await result<Receipt | null>('eth_getTransactionReceipt', [hash]);
        if (receipt !== null) return receipt;
        await new Promise((tick) => setTimeout(tick, 50));
      }
    },
  };
}
