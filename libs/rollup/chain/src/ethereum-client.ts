import {
  RpcCallError,
  RpcTransportError,
  createAskingClient,
  createRpcClient,
  type Asking,
  type RpcClient,
  type RpcClientOptions,
} from '@tetrad/rpc';
import { TetradError, type Address, type Hash, bytesFromHex, isHex } from '@tetrad/types';
import {
  ethereumMethods,
  type EthereumBlock,
  type EthereumCall,
  type EthereumFullBlock,
  type EthereumLog,
  type EthereumReceipt,
  type EthereumTransaction,
} from './ethereum-methods.js';
import { ANSWER_BYTES, CONNECTIONS } from './params.js';
import type { BlockRange } from './page-rule.js';

/** The client cannot be reached, or its answer is unusable: to be retried. */
export class ChainUnavailableError extends TetradError {
  override readonly name = 'ChainUnavailableError';
  override readonly code = 'CHAIN_UNAVAILABLE';
}

/** The client understood and says no; `data` is what a revert carries. */
export class ChainRpcError extends Error {
  override readonly name = 'ChainRpcError';

  constructor(
    message: string,
    readonly code: number,
    readonly data?: Uint8Array,
  ) {
    super(message);
  }
}

export type EthereumClientOptions = Pick<RpcClientOptions, 'url' | 'headers' | 'timeoutMs'>;

/** What asks an Ethereum client in another way, such as the client of a library. */
export type AskingEthereum = Asking;

/** A block by its number, or by what it is to the client: another one a moment later, or after a reorganisation. */
export type BlockName = 'latest' | 'pending' | number;

/** The state after a block; by the hash of the block it is the same however often it is asked about (EIP-1898). */
export type StateName = BlockName | { readonly blockHash: Hash };

/** Any Ethereum client. Every call fails with ChainUnavailableError or ChainRpcError. */
export class EthereumClient {
  private readonly rpc: Pick<RpcClient<typeof ethereumMethods>, 'call' | 'close'>;

  /** @param options - where it is, over HTTP; or what asks it */
  constructor(options: EthereumClientOptions | AskingEthereum) {
    this.rpc =
      'ask' in options
        ? createAskingClient(ethereumMethods, options)
        : createRpcClient(ethereumMethods, {
            connections: CONNECTIONS,
            maxAnswerBytes: ANSWER_BYTES,
            ...options,
          });
  }

  chainId(): Promise<bigint> {
    return asked(this.rpc.call('eth_chainId', []));
  }

  /** Of the latest block. */
  blockNumber(): Promise<number> {
    return asked(this.rpc.call('eth_blockNumber', []));
  }

  /** @returns undefined for a block that there is not */
  async block(name: BlockName): Promise<EthereumBlock | undefined> {
    return (await asked(this.rpc.call('eth_getBlockByNumber', [name, false]))) ?? undefined;
  }

  /** @throws ChainUnavailableError when the client has no block at all */
  async head(): Promise<EthereumBlock> {
    const head = await this.block('latest');
    if (head === undefined) throw new ChainUnavailableError('the Ethereum client has no latest block');
    return head;
  }

  /**
   * Names one state, for several reads.
   *
   * @param name - any name of it
   * @returns its name by the hash of the block
   * @throws ChainUnavailableError when the client does not have the block
   */
  async stateAt(name: StateName): Promise<{ readonly blockHash: Hash }> {
    if (typeof name === 'object') return name;
    const block = await this.block(name);
    if (block === undefined)
      throw new ChainUnavailableError(`the Ethereum client does not have block ${name}`);
    return { blockHash: block.hash };
  }

  /**
   * A block with its transactions.
   * @returns undefined for a block that the client does not have
   */
  async fullBlock(hash: Hash): Promise<EthereumFullBlock | undefined> {
    return (await asked(this.rpc.call('eth_getBlockByHash', [hash, true]))) ?? undefined;
  }

  /**
   * @param range - both ends included
   * @param topics - what the topics of a log begin with, by default anything
   */
  logs(address: Address, range: BlockRange, topics?: readonly Hash[]): Promise<EthereumLog[]> {
    const filter = { address, fromBlock: range.from, toBlock: range.to };
    const wanted = topics === undefined ? filter : { ...filter, topics: [...topics] };
    return asked(this.rpc.call('eth_getLogs', [wanted]));
  }

  async receipt(hash: Hash): Promise<EthereumReceipt | undefined> {
    return (await asked(this.rpc.call('eth_getTransactionReceipt', [hash]))) ?? undefined;
  }

  /** @returns undefined for one that is neither mined nor pending, or that the client has forgotten */
  async transaction(hash: Hash): Promise<EthereumTransaction | undefined> {
    return (await asked(this.rpc.call('eth_getTransactionByHash', [hash]))) ?? undefined;
  }

  /** Whether the client has the transaction, mined or pending. */
  async knows(hash: Hash): Promise<boolean> {
    return (await this.transaction(hash)) !== undefined;
  }

  nonce(address: Address, block: StateName = 'latest'): Promise<number> {
    return asked(this.rpc.call('eth_getTransactionCount', [address, block]));
  }

  /** In wei. */
  balance(address: Address, block: StateName = 'latest'): Promise<bigint> {
    return asked(this.rpc.call('eth_getBalance', [address, block]));
  }

  code(address: Address, block: StateName = 'latest'): Promise<Uint8Array> {
    return asked(this.rpc.call('eth_getCode', [address, block]));
  }

  call(call: EthereumCall, block: StateName = 'latest'): Promise<Uint8Array> {
    return asked(this.rpc.call('eth_call', [call, block]));
  }

  estimateGas(call: EthereumCall): Promise<bigint> {
    return asked(this.rpc.call('eth_estimateGas', [call]));
  }

  gasPrice(): Promise<bigint> {
    return asked(this.rpc.call('eth_gasPrice', []));
  }

  sendRaw(transaction: Uint8Array): Promise<Hash> {
    return asked(this.rpc.call('eth_sendRawTransaction', [transaction]));
  }

  close(): Promise<void> {
    return this.rpc.close();
  }
}

async function asked<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcTransportError) throw new ChainUnavailableError(error.message, { cause: error });
    if (error instanceof RpcCallError)
      throw new ChainRpcError(error.message, error.code, revertDataOf(error.data));
    throw error;
  }
}

/**
 * The bytes that a reverted call returned, wherever a client puts them into its error: as `data` itself (geth, anvil,
 * ours), or one level down (Hardhat, Parity's line).
 * @returns undefined when there are none
 */
export function revertDataOf(data: unknown): Uint8Array | undefined {
  if (typeof data === 'string') return hexAtEnd(data);
  if (typeof data !== 'object' || data === null) return undefined;
  const inner = (data as { readonly data?: unknown }).data;
  return typeof inner === 'string' ? hexAtEnd(inner) : undefined;
}

/** Parity and Nethermind write `Reverted 0x…`. */
function hexAtEnd(text: string): Uint8Array | undefined {
  const hex = text.startsWith('Reverted ') ? text.slice('Reverted '.length) : text;
  return isHex(hex) ? bytesFromHex(hex) : undefined;
}
