import { AMOUNT_LIMIT } from '@tetrad/rollup-state';
import { OperatorError, ZERO_ADDRESS } from '@tetrad/types';
import { ContractRefusal } from '../chain/contract-errors.js';
import { allowance, approve } from '../chain/erc20.js';
import { isFrozen } from '../chain/is-frozen.js';
import type { RollupToken } from '../chain/rollup-contract.js';
import { rollupTokens } from '../chain/rollup-tokens.js';
import type { SendOptions } from '../chain/send-transaction.js';
import type { MoveStart } from './move-file.js';
import type { MoveOptions } from './move-options.js';
import type { Look, MoveWaits } from './move-waits.js';
import { atAddress, readMovedTotals } from './moved-totals.js';

/** What a deposit and its approval take at most. */
const DEPOSIT_GAS = 300_000n;

/** A moment at which nothing of the address is under way. */
interface Calm {
  readonly block: number;
  readonly nonce: number;
}

/** Deposits into the successor what arrived at the address and is not deposited yet. */
export class ArrivedDeposits {
  private readonly owner;

  constructor(
    private readonly options: MoveOptions,
    private readonly waits: MoveWaits,
    private readonly start: MoveStart,
    /** In the successor. */
    private readonly accountId: number,
  ) {
    this.owner = options.keys.address;
  }

  /**
   * Deposits all of it, but for what is less than the smallest deposit.
   *
   * @returns whether the successor is frozen, and takes none
   * @throws OperatorError when the address lacks the ether, or the user ends it; as `RollupContract.send`
   */
  async run(): Promise<'done' | 'frozen'> {
    for (const token of await this.tokens())
      for (;;) {
        this.waits.assertGoesOn();
        if (await isFrozen(this.options.successor)) return 'frozen';
        const { units, nonce } = await this.left(token);
        if (units === 0n) break;
        await this.send(token, units, nonce);
      }
    return 'done';
  }

  private async tokens(): Promise<readonly RollupToken[]> {
    const { tokens } = this.start;
    const all = await rollupTokens(this.options.successor);
    return all.filter(({ address }) => tokens?.includes(address) ?? true);
  }

  /**
   * What is left to deposit. A deposit that an earlier process sent must not be sent again, so nothing is sent before all is mined; and
   * the next one has the nonce of the block whose events are counted, so that another transaction of the address which is not in
   * it takes its place.
   *
   * @returns units of the successor, 0 for less than it takes; and the nonce
   */
  private async left(token: RollupToken): Promise<{ readonly units: bigint; readonly nonce: number }> {
    const { contract } = this.options;
    const { owner } = this;
    const { block, nonce } = await this.waits.until('transactions', () => this.calm());
    const totals = await this.waits.until('events', async () => ({
      found: await readMovedTotals(contract, this.start, { owner, block }),
      mark: block,
    }));
    return { units: this.unitsOf(token, atAddress(totals, token.address)), nonce };
  }

  private async calm(): Promise<Look<Calm>> {
    const { client } = this.options.successor;
    const block = await client.blockNumber();
    const [nonce, pending] = await Promise.all([
      client.nonce(this.owner, block),
      client.nonce(this.owner, 'pending'),
    ]);
    return { found: nonce === pending ? { block, nonce } : undefined, mark: nonce };
  }

  private unitsOf({ unit }: RollupToken, base: bigint): bigint {
    const units = base / unit;
    if (units < this.options.successor.minDeposit) return 0n;
    return units < AMOUNT_LIMIT ? units : AMOUNT_LIMIT - 1n;
  }

  /** One transaction: of a token the approval first, and the deposit when it is mined. */
  private async send(token: RollupToken, amount: bigint, nonce: number): Promise<void> {
    const { successor, keys, signal, onProgress } = this.options;
    const { accountId, owner } = this;
    const tokenId = token.id;
    const onSent: SendOptions['onSent'] = (hash) => onProgress({ kind: 'sent', hash });
    const sending: SendOptions = { key: keys.ethereumKey, signal, nonce, onSent };
    await this.assertEther(token, amount);
    const base = amount * token.unit;
    if (token.address !== ZERO_ADDRESS) {
      const grant = { token: token.address, spender: successor.address };
      if ((await allowance(successor.client, { ...grant, owner })) < base) {
        onProgress({ kind: 'approving', tokenId, amount });
        await approve(successor.client, { ...grant, amount: base }, sending);
        return;
      }
    }
    onProgress({ kind: 'depositing', tokenId, amount });
    try {
      if (token.address === ZERO_ADDRESS) await successor.depositEther({ accountId, amount }, sending);
      else await successor.depositToken({ accountId, tokenId, amount }, sending);
    } catch (error) {
      // The next look says that it is frozen.
      if (error instanceof ContractRefusal && (await isFrozen(successor))) return;
      throw error;
    }
    onProgress({ kind: 'deposited', tokenId, amount });
  }

  /** Gas is not paid of what moves. */
  private async assertEther({ address, unit }: RollupToken, amount: bigint): Promise<void> {
    const { client } = this.options.successor;
    const value = address === ZERO_ADDRESS ? amount * unit : 0n;
    const [has, price] = await Promise.all([client.balance(this.owner), client.gasPrice()]);
    const needed = value + DEPOSIT_GAS * price;
    if (has < needed)
      throw new OperatorError(
        `${this.owner} has ${has} wei, and the deposit with its gas needs ${needed}: send it ${needed - has} wei, and run it again`,
      );
  }
}
