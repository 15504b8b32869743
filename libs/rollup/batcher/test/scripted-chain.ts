import { keccak256 } from '@tetrad/crypto';
import { EthereumClient, RollupCodec } from '@tetrad/rollup-chain';
import { bytesFromHex, hexFromBytes, parseAddress, parseHash, type Hash, type Hex } from '@tetrad/types';

const LAYOUT = 3n;

/** An Ethereum client of a rollup contract, which says what a test has it say. */
export class ScriptedChain {
  readonly contract = parseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3');
  readonly codec = new RollupCodec();
  readonly client = new EthereumClient({
    url: 'scripted',
    ask: (method, params) => this.answer(method, params),
  });
  /** Number of the latest block. */
  block = 7;
  baseFee = 7n;
  gasPrice = 9n;
  /** Of the operator's account. */
  nonce = 0;
  /** Of the contract: height of its last batch, and the state root after it. */
  height = 0;
  stateRoot = 0n;
  /** Pending transactions. */
  readonly pool = new Set<Hash>();
  readonly receipts = new Map<Hash, { readonly block: number; readonly status: 0 | 1 }>();
  /** The state by whose name each batch was tried. */
  readonly tried: unknown[] = [];
  /** Whether the contract takes a batch that is tried on a state: the name of its error, or undefined when it does. */
  verdict: (state: unknown) => Promise<string | undefined> = async () => undefined;

  /** The latest block, as a state is named by it. */
  get head(): { readonly blockHash: Hash } {
    return { blockHash: parseHash(`0x${this.block.toString(16).padStart(64, '0')}`) };
  }

  private async answer(method: string, params: readonly unknown[]) {
    if (method === 'eth_call') return this.call(params[0] as { readonly data: Hex }, params[1]);
    const known: Readonly<Record<string, () => unknown>> = {
      eth_getBlockByNumber: () => ({
        number: quantity(this.block),
        hash: this.head.blockHash,
        timestamp: quantity(this.block),
        baseFeePerGas: quantity(this.baseFee),
      }),
      eth_gasPrice: () => quantity(this.gasPrice),
      eth_getTransactionCount: () => quantity(this.nonce),
      eth_getTransactionReceipt: () => this.receipt(params[0] as Hash),
      eth_getTransactionByHash: () => (this.pool.has(params[0] as Hash) ? { hash: params[0] } : null),
      eth_sendRawTransaction: () => this.take(params[0] as Hex),
    };
    const answer = known[method];
    if (answer === undefined) throw new Error(`${method} is not scripted`);
    return { result: answer() };
  }

  private take(raw: Hex): Hash {
    const hash = parseHash(hexFromBytes(keccak256(bytesFromHex(raw))));
    this.pool.add(hash);
    return hash;
  }

  private receipt(transactionHash: Hash): unknown {
    const receipt = this.receipts.get(transactionHash);
    if (receipt === undefined) return null;
    return {
      transactionHash,
      blockNumber: quantity(receipt.block),
      blockHash: this.head.blockHash,
      status: quantity(receipt.status),
      gasUsed: '0x1',
    };
  }

  private async call({ data }: { readonly data: Hex }, state: unknown) {
    const { abi } = this.codec;
    const name = this.codec.parseCall(data)?.name ?? 'batchLayout';
    if (name !== 'submitBatch') {
      const values: Readonly<Record<string, bigint>> = {
        height: BigInt(this.height),
        stateRootAt: this.stateRoot,
        batchLayout: LAYOUT,
      };
      return { result: abi.encodeFunctionResult(name, [values[name]]) };
    }
    this.tried.push(state);
    const failure = await this.verdict(state);
    if (failure === undefined) return { result: '0x' };
    return { error: { code: 3, message: 'execution reverted', data: abi.encodeErrorResult(failure) } };
  }
}

const quantity = (value: number | bigint): string => `0x${value.toString(16)}`;
