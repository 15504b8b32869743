import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import type { DeployOptions } from '../../chain/test/agreeing-rollup.js';
import { GameRollup } from '../../chain/test/game-rollup.js';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import {
  MoveFile,
  RollupContract,
  connectEthereum,
  moveRollup,
  type EthereumClient,
  type MoveEnd,
  type MoveOptions,
  type MoveProgress,
  type OperatorClient,
  type RollupKeys,
  openJournalFile,
} from '../src/index.js';
import { GameHolders } from './game-holder.js';

/** What a killed process did last. */
export class Killed extends Error {}

/** A move in one process, which may be killed. */
export interface MoveRun {
  readonly to?: Address;
  readonly tokens?: ReadonlySet<number>;
  readonly minimum?: bigint;
  /** Whether an operator serves: no move in these tests asks for one that does by its methods. */
  readonly byChain?: boolean;
  onProgress?(progress: MoveProgress): unknown;
  pause?(): Promise<unknown>;
  /** Before and after a transaction is sent. */
  onSend?(when: 'before' | 'after'): unknown;
  /** Changes what the Ethereum client says. */
  readonly client?: Partial<EthereumClient>;
}

/** Holders of a rollup who move to a second one on the same chain, both without proofs. */
export class MovingHolders {
  private readonly keys = new Map<number, RollupKeys>();
  private readonly successors: GameRollup[];

  private constructor(
    readonly holders: GameHolders,
    readonly successor: GameRollup,
    private readonly folder: string,
  ) {
    this.successors = [successor];
  }

  static async start(count: number): Promise<MovingHolders> {
    const holders = await GameHolders.start({ holders: count });
    const successor = await GameRollup.deploy(holders.chain, { holders: 1 });
    return new MovingHolders(holders, successor, await mkdtemp(join(tmpdir(), 'tetrad-move-')));
  }

  /** Another rollup on the chain, which could be a successor. */
  async deploy(options: DeployOptions = {}): Promise<GameRollup> {
    const game = await GameRollup.deploy(this.holders.chain, { holders: 1, ...options });
    this.successors.push(game);
    return game;
  }

  /** Keys of a holder, whose address has ether from then on. */
  async keysOf(id: number): Promise<RollupKeys> {
    const keys = this.keys.get(id) ?? (await this.holders.keysOf(id));
    this.keys.set(id, keys);
    return keys;
  }

  fileOf(id: number): string {
    return join(this.folder, `holder-${id}.move`);
  }

  hasFile(id: number): boolean {
    return existsSync(this.fileOf(id));
  }

  /** Moves a holder of the first rollup; by default it leaves by the chain alone. */
  async move(id: number, run: MoveRun = {}): Promise<MoveEnd> {
    const { onProgress = () => undefined, pause = () => this.holders.chain.passTime(100) } = run;
    const client = this.clientOf(run);
    const file = await MoveFile.open(this.fileOf(id));
    try {
      const keys = await this.keysOf(id);
      const to = run.to ?? this.successor.rollup.contract;
      return await moveRollup({
        contract: await RollupContract.open(client, this.holders.contract.address),
        successor: await RollupContract.open(client, to),
        keys,
        file,
        tokens: run.tokens,
        minimum: run.minimum,
        operator: ABSENT,
        successorOperator: this.operatorOf(keys, to),
        openJournal: () => openJournalFile(join(this.folder, `holder-${id}.journal`)),
        byChain: run.byChain ?? true,
        fromBlock: 0,
        successorFromBlock: 0,
        timeoutMs: 20_000,
        signal: new AbortController().signal,
        onProgress: (progress) => void onProgress(progress),
        pause: async () => void (await pause()),
      });
    } finally {
      await file.close();
      await client.close();
    }
  }

  /** Units of the successor that an address has deposited there, token by token. */
  async depositedBy(owner: Address, { rollup } = this.successor): Promise<Readonly<Record<number, bigint>>> {
    type Log = { topics: string[]; data: string };
    const filter = { address: rollup.contract, fromBlock: '0x0', toBlock: 'latest' };
    const sums: Record<number, bigint> = {};
    for (const log of await this.holders.chain.ask<Log[]>('eth_getLogs', [filter])) {
      const event = rollup.codec.parseLog(log);
      if (event?.kind !== 'inbound' || event.from !== owner) continue;
      sums[event.tokenId] = (sums[event.tokenId] ?? 0n) + event.amount;
    }
    return sums;
  }

  async stop(): Promise<void> {
    await this.holders?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Gas costs nothing: what an address has says what was paid and deposited. */
  private clientOf({ onSend = () => undefined, client: changes = {} }: MoveRun): EthereumClient {
    const client = connectEthereum(this.holders.chain.url);
    const sendRaw: EthereumClient['sendRaw'] = async (raw) => {
      await onSend('before');
      const hash = await client.sendRaw(raw);
      await onSend('after');
      return hash;
    };
    return Object.assign(Object.create(client) as EthereumClient, {
      sendRaw,
      gasPrice: async () => 0n,
      ...changes,
    });
  }

  /** Makes accounts in the successor, as its operator does. */
  private operatorOf(keys: RollupKeys, to: Address): OperatorClient {
    const game = this.successors.find(({ rollup }) => rollup.contract === to);
    const call = async (method: string) => {
      if (method !== 'pazkp_createAccount' || game === undefined)
        throw new Error(`${method} was not expected`);
      const domain = rollupDomain(this.holders.chain.chainId, to);
      const id = game.users.length + 1;
      const { secretKey, encryptionKey } = keys;
      const draw = () => BigInt(id) ** 40n;
      const user = new RollupUser(id, multiplyGenerator(99n), domain, draw, secretKey, encryptionKey);
      game.users.push(user);
      await game.make([user.create()]);
      return { status: 'REGISTERED' };
    };
    return { call } as unknown as OperatorClient;
  }
}

/** No method of it is called by a move that leaves by the chain alone. */
const ABSENT = {
  call: () => Promise.reject(new Error('the operator was asked')),
} as unknown as MoveOptions['operator'];
