import { loadToken } from '@tetrad/testkit';
import { totalIndex } from '@tetrad/rollup-crypto';
import type { Address, Hex } from '@tetrad/types';
import { AbiCoder, Interface } from 'ethers/abi';
import type { TestChain } from '../../chain/test/anvil-chain.js';
import type { GameRollup, OpenOrder } from '../../chain/test/game-rollup.js';
import { deposit, depositOrder } from '../../state/src/testing/rollup-user.js';

const SUPPLY = 10n ** 18n;
const erc20 = new Interface([
  'function approve(address spender, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
]);

/** An ERC-20 token on a test chain, all of which the operator of the games has at first. */
export class GameToken {
  private constructor(
    private readonly chain: TestChain,
    readonly address: Address,
  ) {}

  static async create(chain: TestChain): Promise<GameToken> {
    const values = AbiCoder.defaultAbiCoder().encode(['string', 'string', 'uint256'], ['C', 'C', SUPPLY]);
    return new GameToken(chain, await chain.create((await loadToken()).bytecode + values.slice(2)));
  }

  /**
   * Adds it to a rollup.
   * @returns its id there
   */
  async listIn({ rollup, operator }: GameRollup, unit = 1n): Promise<number> {
    const [count] = await rollup.read('tokenCount');
    const outcome = await rollup.send(operator, 'addToken', [this.address, unit]);
    if (typeof outcome === 'string') throw new Error(outcome);
    return Number(count);
  }

  /**
   * Deposits for an account, and takes the deposit.
   * @param to - account and token in the rollup; the amount in its units, each of which is one of the token
   * @returns the order that it became
   */
  async give(
    game: GameRollup,
    { id, tokenId, amount }: { readonly id: number; readonly tokenId: number; readonly amount: bigint },
  ): Promise<OpenOrder> {
    const { rollup, operator, state } = game;
    const data = erc20.encodeFunctionData('approve', [rollup.contract, amount]);
    await this.chain.send({ from: operator, to: this.address, data });
    await rollup.send(operator, 'registerInboundTransferERC20', [id, tokenId, amount]);
    const transfer = deposit(state.next.inboundFrom, game.user(id), tokenId, amount);
    const index = totalIndex(state.next.height, 0);
    await game.make([transfer]);
    return { order: depositOrder(transfer), totalIndex: index };
  }

  /** The same with the redemption. */
  async fund(game: GameRollup, to: Parameters<GameToken['give']>[1]): Promise<void> {
    const { order, totalIndex: index } = await this.give(game, to);
    await game.make([game.user(to.id).redeem(order, index, game.account(to.id).nonce + 1)]);
  }

  async balanceOf(owner: Address): Promise<bigint> {
    const data = erc20.encodeFunctionData('balanceOf', [owner]);
    return BigInt(await this.chain.ask<Hex>('eth_call', [{ to: this.address, data }, 'latest']));
  }
}
