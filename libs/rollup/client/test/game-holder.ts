import { addressFromPrivateKey } from '@tetrad/crypto';
import type { RollupEvent } from '@tetrad/rollup-chain';
import type { Address } from '@tetrad/types';
import { startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { SIZE, UNIT, type DeployOptions } from '../../chain/test/agreeing-rollup.js';
import { GameRollup } from '../../chain/test/game-rollup.js';
import { deposit } from '../../state/src/testing/rollup-user.js';
import {
  RollupContract,
  connectEthereum,
  exitRollup,
  type ExitOptions,
  type ExitProgress,
  type RollupKeys,
} from '../src/index.js';
import { operationOf } from './served-requests.js';

/** Holders of a rollup whose batches need no proof, with the contract as their clients see it. */
export class GameHolders {
  private constructor(
    readonly chain: TestChain,
    readonly game: GameRollup,
    readonly contract: RollupContract,
  ) {}

  static async start(options: { readonly holders?: number } & DeployOptions = {}): Promise<GameHolders> {
    const chain = await startChain();
    const game = await GameRollup.deploy(chain, options);
    const contract = await RollupContract.open(connectEthereum(chain.url), game.rollup.contract);
    return new GameHolders(chain, game, contract);
  }

  /** Whose transactions need no funding: they cost nothing on this chain but for what they deposit. */
  get payer(): Address {
    return this.chain.accounts[1] as Address;
  }

  /** Keys of a user with an Ethereum account of its own. */
  async keysOf(id: number): Promise<RollupKeys> {
    const user = this.game.user(id);
    const ethereumKey = Buffer.alloc(32, 0xa0 + id);
    const address = addressFromPrivateKey(ethereumKey);
    await this.chain.ask('anvil_setBalance', [address, `0x${(10n ** 20n).toString(16)}`]);
    const { secretKey, publicKey, encryptionKey, jointKey } = user;
    return { secretKey, publicKey, encryptionKey, encryptionPoint: jointKey.user, ethereumKey, address };
  }

  /**
   * Orders of one unit for an account, which a sender of dust has paid for.
   * @param orders - how many, a multiple of the batch size
   */
  async giveDust(id: number, orders: number): Promise<void> {
    for (let made = 0; made < orders; made += SIZE) {
      const taken = [];
      for (let place = 0; place < SIZE; place += 1) {
        await this.game.register(this.payer, id, 1n);
        taken.push(deposit(this.game.state.next.inboundFrom + place, this.game.user(id), 0, 1n));
      }
      await this.game.make(taken);
    }
  }

  /** Leaves; `pause` is what happens while it waits. */
  exit(
    keys: RollupKeys,
    recipient: Address,
    more: Partial<ExitOptions> & { onProgress?(progress: ExitProgress): void } = {},
  ): ReturnType<typeof exitRollup> {
    return exitRollup({
      contract: this.contract,
      keys,
      recipient,
      fromBlock: 0,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      pause: () => this.chain.passTime(100),
      ...more,
    });
  }

  async events(): Promise<RollupEvent[]> {
    type Log = { topics: string[]; data: string };
    const filter = { address: this.contract.address, fromBlock: '0x0', toBlock: 'latest' };
    const logs = await this.chain.ask<Log[]>('eth_getLogs', [filter]);
    return logs.flatMap((log) => this.contract.codec.parseLog(log) ?? []);
  }

  /** As an operator that works: makes what an account has asked for last, if it is open. */
  async serve(id: number): Promise<void> {
    if ((await this.game.overdueAt(id)) === 0) return;
    const asked = (await this.events()).findLast(
      (event) =>
        (event.kind === 'transferRequested' || event.kind === 'redemptionRequested') &&
        event.accountId === id,
    );
    if (asked?.kind !== 'transferRequested' && asked?.kind !== 'redemptionRequested') return;
    await this.game.make([operationOf(asked)]);
  }

  async unitsOf(address: Address): Promise<bigint> {
    return BigInt(await this.chain.ask<string>('eth_getBalance', [address, 'latest'])) / UNIT;
  }

  async stop(): Promise<void> {
    await this.contract.client.close();
    await this.chain.stop();
  }
}
