import { ChainRpcError, type EthereumClient, type EthereumReceipt } from '@tetrad/rollup-chain';
import { hexFromBytes, parseHash, type Hash } from '@tetrad/types';
import { Transaction } from 'ethers/transaction';

type Client = Pick<
  EthereumClient,
  'call' | 'chainId' | 'gasPrice' | 'head' | 'nonce' | 'receipt' | 'sendRaw' | 'transaction'
>;

interface Pooled {
  readonly hash: Hash;
  readonly nonce: number;
  readonly gasLimit: bigint;
  readonly maxFee: bigint;
  /** What it takes out; undefined for a transaction of another process. */
  readonly items: readonly number[] | undefined;
}

interface State {
  readonly mined: number;
  readonly taken: ReadonlySet<number>;
  readonly receipts: ReadonlyMap<Hash, number>;
  readonly included: readonly Pooled[];
}

export interface VirtualOptions {
  readonly blockGas: bigint;
  /** Base fee of the first block; undefined on a chain without. */
  readonly baseFee?: bigint | undefined;
  readonly gasPrice?: bigint;
  /** Transactions of an account that the pool keeps. */
  readonly most?: number;
  /** Whether the client says which nonce is free behind its pool. */
  readonly countsPending?: boolean;
}

/** What a transaction uses of its limit. */
const [USED, OF] = [4n, 5n];
const refuse = (message: string) => new ChainRpcError(message, -32_000);

/** A chain and the pool of its client in memory, where one account sends what takes items out of a contract, each once. */
export class VirtualChain implements Client {
  number = 1;
  reverts = 0;
  /** Mined transactions that take something out. */
  withdrawals = 0;
  /** The most that one of them offered for a unit of gas. */
  dearest = 0n;
  private mined = 0;
  private taken = new Set<number>();
  private receipts = new Map<Hash, number>();
  private pool = new Map<number, Pooled>();
  private baseFee: bigint | undefined;
  private readonly before: State[] = [];
  private strangers = 0;

  constructor(private readonly options: VirtualOptions) {
    this.baseFee = options.baseFee;
  }

  isTaken(item: number): boolean {
    return this.taken.has(item);
  }

  get pooled(): number {
    return this.pool.size;
  }

  chainId = async () => 7n;
  call = async () => new Uint8Array();
  gasPrice = async () => (this.baseFee ?? 0n) + (this.options.gasPrice ?? 0n);
  head = async () => ({
    number: this.number,
    hash: hashOf(this.number),
    timestamp: this.number,
    gasLimit: this.options.blockGas,
    baseFeePerGas: this.baseFee,
  });
  nonce: Client['nonce'] = async (_, block) => {
    if (block !== 'pending' || this.options.countsPending === false) return this.mined;
    let next = this.mined;
    while (this.pool.has(next)) next += 1;
    return next;
  };
  receipt: Client['receipt'] = async (hash) => {
    const status = this.receipts.get(hash);
    if (status === undefined) return undefined;
    return { status, transactionHash: hash, blockNumber: 1, blockHash: hash, gasUsed: 1n } as EthereumReceipt;
  };
  transaction: Client['transaction'] = async (hash) =>
    this.receipts.has(hash) || [...this.pool.values()].some((pooled) => pooled.hash === hash)
      ? { hash }
      : undefined;

  sendRaw: Client['sendRaw'] = async (raw) => {
    const { hash, nonce, gasLimit, maxFeePerGas, gasPrice, data } = Transaction.from(hexFromBytes(raw));
    const maxFee = maxFeePerGas ?? gasPrice ?? 0n;
    const text = Buffer.from(data.slice(2), 'hex').toString();
    const items = text === '' ? [] : (JSON.parse(text) as number[]);
    this.enter({ hash: parseHash(hash as string), nonce, gasLimit, maxFee, items });
    return parseHash(hash as string);
  };

  /** A transaction of another process, which may take the place of one. */
  addStranger(isFirst: boolean): void {
    let nonce = this.mined;
    while (!isFirst && this.pool.has(nonce)) nonce += 1;
    this.strangers += 1;
    const hash = hashOf(1_000_000 + this.strangers);
    this.pool.set(nonce, { hash, nonce, gasLimit: 30_000n, maxFee: 10n ** 18n, items: undefined });
  }

  /** Another account takes an item out. */
  take(item: number): void {
    this.taken.add(item);
  }

  /** The client loses the transaction at a place of its pool. */
  drop(place: number): void {
    const nonces = [...this.pool.keys()];
    if (nonces.length > 0) this.pool.delete(nonces[place % nonces.length] as number);
  }

  /** Others fill the blocks, and make gas dearer. */
  raiseBaseFee(times: bigint): void {
    if (this.baseFee !== undefined) this.baseFee *= times;
  }

  /** Mines a block of what is pending. */
  mine(): void {
    this.before.push({
      mined: this.mined,
      taken: new Set(this.taken),
      receipts: new Map(this.receipts),
      included: [],
    });
    const { blockGas } = this.options;
    let left = blockGas;
    const included: Pooled[] = [];
    for (;;) {
      const next = this.pool.get(this.mined);
      if (next === undefined || next.gasLimit > left || next.maxFee < (this.baseFee ?? 0n)) break;
      left -= (next.gasLimit * USED) / OF;
      this.pool.delete(this.mined);
      this.mined += 1;
      included.push(next);
      this.execute(next);
    }
    this.before.push({ ...(this.before.pop() as State), included });
    this.number += 1;
    if (this.baseFee === undefined) return;
    const change = ((blockGas - left - blockGas / 2n) * this.baseFee) / (blockGas / 2n) / 8n;
    this.baseFee = this.baseFee + change > 1n ? this.baseFee + change : 1n;
  }

  /** The newest block leaves the chain; its transactions come back into the pool, or are lost. */
  reorganise(areLost: boolean): void {
    const state = this.before.pop();
    if (state === undefined) return;
    this.mined = state.mined;
    this.taken = new Set(state.taken);
    this.receipts = new Map(state.receipts);
    if (!areLost) for (const pooled of state.included) this.pool.set(pooled.nonce, pooled);
    this.mine();
    this.mine();
  }

  private enter(entering: Pooled): void {
    const { nonce, hash, maxFee, gasLimit } = entering;
    if (nonce < this.mined) throw refuse('nonce too low');
    if (gasLimit > this.options.blockGas) throw refuse('exceeds block gas limit');
    const there = this.pool.get(nonce);
    if (there?.hash === hash) throw refuse('already known');
    if (there !== undefined && maxFee * 10n < there.maxFee * 11n)
      throw refuse('replacement transaction underpriced');
    if (there !== undefined && maxFee === there.maxFee) throw refuse('replacement transaction underpriced');
    if (there === undefined && this.pool.size >= (this.options.most ?? 64)) this.makeRoom(nonce);
    this.pool.set(nonce, entering);
    if (maxFee > this.dearest) this.dearest = maxFee;
  }

  /** As Besu does: the transactions that are mined first stay. */
  private makeRoom(nonce: number): void {
    const last = Math.max(-1, ...this.pool.keys());
    if (last < nonce) throw refuse('txpool is full');
    this.pool.delete(last);
  }

  private execute({ hash, items }: Pooled): void {
    if (items === undefined) return;
    const isRefused = items.some((item) => this.taken.has(item));
    this.receipts.set(hash, isRefused ? 0 : 1);
    this.withdrawals += 1;
    if (isRefused) this.reverts += 1;
    else for (const item of items) this.taken.add(item);
  }
}

const hashOf = (value: number): Hash => parseHash(`0x${value.toString(16).padStart(64, '0')}`);
