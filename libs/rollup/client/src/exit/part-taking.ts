import type { RollupContract } from '../chain/rollup-contract.js';
import { RevertedError, type ContractCall } from '../chain/send-transaction.js';
import type { TransactionWindow } from '../chain/transaction-window.js';
import { LONG_PAUSE_MS, SHORT_PAUSE_MS, type ExitTransactions } from './exit-transactions.js';

/** One kind of things that are taken out in lists, each once. */
export interface Part<Item> {
  readonly items: readonly Item[];
  /** Of one transaction, where a block has the gas. */
  readonly most: number;
  /** What one takes at most. */
  gas(item: Item): bigint;
  isDone(item: Item): Promise<boolean>;
  call(items: readonly Item[]): ContractCall;
  /** What is said before and after. */
  say(items: readonly Item[], isSent: boolean): void;
}

/** What a transaction takes besides, with what the contract wants to be left at its last payment. */
const BASE_GAS = 350_000n;
/** Answers that are waited for at a time. */
const READS = 32;

/** Takes things out of a frozen contract, with several transactions under way at once. */
export class PartTaking {
  private constructor(
    private readonly contract: Pick<RollupContract, 'client' | 'tryCall'>,
    private readonly transactions: ExitTransactions,
    private readonly window: TransactionWindow<readonly unknown[]>,
  ) {}

  /**
   * Waits for transactions of the payer from before: an exit that was interrupted has sent them, and what they do is not sent again.
   *
   * @throws OperatorError when the user ends the exit; as `TransactionWindow.look`
   */
  static async start(
    contract: Pick<RollupContract, 'client' | 'tryCall'>,
    transactions: ExitTransactions,
  ): Promise<PartTaking> {
    const window = await transactions.window<readonly unknown[]>(contract.client);
    await window.look();
    const wait = waiting(transactions, window);
    while (window.earlier > 0 && !window.hasRoom(0n)) {
      await wait();
      await window.look();
    }
    return new PartTaking(contract, transactions, window);
  }

  /**
   * Takes out what is not taken out yet. Blocks that left the chain may give things back: it ends when the chain says of each that it is out.
   *
   * @param part - what, and how
   * @throws OperatorError when the user ends the exit; RevertedError and ContractRefusal when it is refused too often; as `TransactionWindow`
   */
  async take<Item>(part: Part<Item>): Promise<void> {
    for (let left = await notDone(part, part.items); left.length > 0; left = await notDone(part, part.items))
      await new Pass(part, left, this.contract, this.transactions, this.window).run();
  }
}

/** Takes out each of some things once, as far as the chain keeps its blocks. */
class Pass<Item> {
  private readonly waiting: Item[];
  /** Of these things, how many are known to be out. */
  private out = 0;

  constructor(
    private readonly part: Part<Item>,
    items: readonly Item[],
    private readonly contract: Pick<RollupContract, 'client' | 'tryCall'>,
    private readonly transactions: ExitTransactions,
    private readonly window: TransactionWindow<readonly unknown[]>,
  ) {
    this.waiting = [...items];
  }

  async run(): Promise<void> {
    const { gasLimit: blockGas } = await this.contract.client.head();
    const wait = waiting(this.transactions, this.window);
    for (;;) {
      this.transactions.assertGoesOn();
      const hasEnded = await this.look();
      if (this.waiting.length === 0 && this.window.isEmpty) return;
      const hasSent = await this.fill(blockGas ?? undefined);
      if (!hasEnded && !hasSent) await wait();
    }
  }

  /** @returns whether a transaction ended */
  private async look(): Promise<boolean> {
    const ended = await this.window.look();
    let isReverted = false;
    for (const { load, outcome } of ended) {
      const items = load as readonly Item[];
      if (outcome === 'done') {
        this.out += items.length;
        this.transactions.accepted();
        this.part.say(items, true);
        continue;
      }
      // Another sender may have taken them out before: they are looked at again.
      this.waiting.unshift(...(await this.stillIn(items)));
      isReverted ||= outcome === 'reverted';
    }
    if (isReverted) this.transactions.refused(this.place, new RevertedError('a withdrawal was reverted'));
    return ended.length > 0;
  }

  /**
   * Sends as many as there is room for.
   * @returns whether any was sent
   */
  private async fill(blockGas: bigint | undefined): Promise<boolean> {
    let hasSent = false;
    while (this.waiting.length > 0) {
      const count = fitting(this.part, this.waiting, blockGas);
      if (!this.window.hasRoom(gasOf(this.part, this.waiting.slice(0, count)))) break;
      const some = await this.stillIn(this.waiting.slice(0, count));
      this.waiting.splice(0, count, ...some);
      if (some.length === 0) continue;
      if (!(await this.send(some))) break;
      this.waiting.splice(0, some.length);
      hasSent = true;
    }
    return hasSent;
  }

  private async send(some: readonly Item[]): Promise<boolean> {
    const { part, contract, transactions, window } = this;
    const call = part.call(some);
    const gas = gasOf(part, some);
    try {
      await contract.tryCall(call, { from: window.address, gas });
    } catch (error) {
      transactions.refused(this.place, error);
      return false;
    }
    part.say(some, false);
    return window.send(call, gas, some);
  }

  private async stillIn(items: readonly Item[]): Promise<readonly Item[]> {
    const left = await notDone(this.part, items);
    this.out += items.length - left.length;
    return left;
  }

  /** Another sender that takes some of them out pays this account: that is not a refusal of the same call. */
  private get place(): string {
    return `withdrawal ${this.out}`;
  }
}

/** What is done while no transaction can be sent and none has ended. */
function waiting(transactions: ExitTransactions, window: TransactionWindow<readonly unknown[]>) {
  let wasDear = false;
  return async () => {
    transactions.assertGoesOn();
    const { earlier, isEmpty, tooDear } = window;
    if (earlier > 0 && isEmpty) transactions.sayOnce({ kind: 'pending', transactions: earlier });
    // The price is another one in every block: it is said when it begins to be too high.
    if (tooDear !== undefined && !wasDear) transactions.say({ kind: 'dear', ...tooDear });
    wasDear = tooDear !== undefined;
    await transactions.pause(wasDear && isEmpty ? LONG_PAUSE_MS : SHORT_PAUSE_MS);
  };
}

async function notDone<Item>(part: Part<Item>, items: readonly Item[]): Promise<readonly Item[]> {
  const left: Item[] = [];
  for (let from = 0; from < items.length; from += READS) {
    const some = items.slice(from, from + READS);
    const done = await Promise.all(some.map((item) => part.isDone(item)));
    left.push(...some.filter((_, place) => done[place] === false));
  }
  return left;
}

function gasOf<Item>({ gas }: Pick<Part<Item>, 'gas'>, items: readonly Item[]): bigint {
  return items.reduce((sum, item) => sum + gas(item), BASE_GAS);
}

/** How many of the first a block has room for: chains of a few have blocks with a tenth of the gas of public ones. */
function fitting<Item>(part: Part<Item>, items: readonly Item[], blockGas: bigint | undefined): number {
  let count = Math.min(part.most, items.length);
  while (count > 1 && blockGas !== undefined && gasOf(part, items.slice(0, count)) > blockGas) count -= 1;
  return count;
}
