import { ChainRpcError, ChainUnavailableError, type FreezeHistory } from '@tetrad/rollup-chain';
import type { Account, AccountRecovery } from '@tetrad/rollup-state';
import { OperatorError, type Address } from '@tetrad/types';
import { findFreeze } from '../chain/find-freeze.js';
import { chooseRequest, type RequestChoice } from './choose-request.js';
import { DepositFollower } from './deposit-follower.js';
import type { ExitOptions } from './exit-options.js';
import { ExitTransactions, LONG_PAUSE_MS, SHORT_PAUSE_MS } from './exit-transactions.js';
import { nextFreezeStep, type Dues, type FreezeReason } from './freeze-step.js';
import { readDues } from './read-dues.js';
import { requestCall } from './request-operation.js';
import { replaces, requestWindow, type RequestRates } from './request-window.js';
import { isWanted } from './wanted-tokens.js';
import { FrozenWithdrawal } from './withdraw-frozen.js';

/** So that the contract is frozen as soon as it may be. */
const SHORTLY_SECONDS = 60;

type OwnRecovery = AccountRecovery & { readonly own: Account };

/**
 * Leaves a contract that freezes (docs/adr/0241): asks for operations one after another while the operator makes them, freezes the
 * contract when it has not, and then withdraws.
 *
 * @param options - of the exit
 * @param look - the account after the latest block
 * @returns who is paid
 * @throws as `exitRollup`
 */
export async function exitByFreezing(
  options: ExitOptions,
  look: () => Promise<AccountRecovery>,
): Promise<Address> {
  const transactions = new ExitTransactions(options);
  let exit: FreezingExit | undefined;
  for (;;) {
    const paid = await transactions.whenReachable(async () => {
      const recovery = await look();
      if (!hasAccount(recovery)) throw new OperatorError('the rollup has no account of these keys');
      const { own, openOrders } = recovery;
      transactions.sayOnce({ kind: 'account', account: own, openOrders: openOrders.length });
      exit ??= new FreezingExit(options, transactions, own.id);
      return exit.step(recovery);
    });
    if (paid !== undefined) return paid;
    transactions.assertGoesOn();
  }
}

const hasAccount = (recovery: AccountRecovery): recovery is OwnRecovery => recovery.own !== undefined;

class FreezingExit {
  private readonly deposits: DepositFollower;
  private knownRates: RequestRates | undefined;
  private knownHistory: FreezeHistory | undefined;

  constructor(
    private readonly options: ExitOptions,
    private readonly transactions: ExitTransactions,
    private readonly accountId: number,
  ) {
    this.deposits = new DepositFollower(options.contract, accountId, options.fromBlock);
  }

  /** @returns who is paid, when there is no more to do */
  async step(recovery: OwnRecovery): Promise<Address | undefined> {
    const { contract, recipient, tokens } = this.options;
    const waiting = (await this.deposits.look()).filter(
      ({ amount, tokenId }) => amount > 0n && isWanted(tokens, tokenId),
    );
    const dues = await readDues(contract, this.accountId, waiting[0]?.index);
    const choice = dues.isFrozen ? undefined : await this.choose(recovery, dues);
    const left = { canRequest: choice !== undefined, isWaiting: waiting.length > 0 };
    const step = nextFreezeStep(dues, left);
    if (step.do === 'withdraw') return this.withdraw(recovery);
    if (step.do === 'end') {
      this.sayKept(recovery);
      return recipient;
    }
    if (step.do === 'wait') await this.wait(step, dues.now);
    else if (step.do === 'announce' || step.do === 'freeze') await this.end(step.do, step.by);
    else if (choice !== undefined) await this.request(recovery, choice);
    return undefined;
  }

  /** @returns undefined without one that the contract takes */
  private async choose(recovery: OwnRecovery, { now, request }: Dues): Promise<RequestChoice | undefined> {
    const { contract, minimum = 1n, tokens } = this.options;
    const { own, openOrders } = recovery;
    const held = await this.heldFor(recovery);
    const { minDeposit } = contract;
    const choice = chooseRequest(own, openOrders, { held, minDeposit, minimum, tokens });
    if (choice === undefined || request === undefined) return choice;
    const { tokenId, amount } = describe(choice);
    const window = requestWindow({ amount, held: held.get(tokenId) ?? amount }, await this.rates());
    return replaces(window, request.overdueAt - now) ? choice : undefined;
  }

  /** Token id → units that the contract holds, of the tokens that the account has something of. */
  private async heldFor({ own, openOrders }: OwnRecovery): Promise<ReadonlyMap<number, bigint>> {
    const { contract } = this.options;
    const worth = [...own.balances.keys(), ...openOrders.map(({ order }) => order.tokenId)];
    const count = await contract.tokenCount();
    // An order of no units may be of a token that does not exist.
    const ids = [...new Set(worth)].filter((id) => id < count);
    const read = async (id: number) => [id, (await contract.values('tokens', [id]))[2] as bigint] as const;
    return new Map(await Promise.all(ids.map(read)));
  }

  private async rates(): Promise<RequestRates> {
    const { contract } = this.options;
    this.knownRates ??= {
      stallTimeout: await contract.read('stallTimeout', []),
      requestsPerTimeout: await contract.read('requestsPerTimeout', []),
    };
    return this.knownRates;
  }

  private async request(recovery: OwnRecovery, choice: RequestChoice): Promise<void> {
    const { contract, keys, recipient } = this.options;
    const said = describe(choice);
    this.transactions.say({ kind: 'requesting', ...said });
    const { name, values } = requestCall({ rollup: contract, keys, recovery, recipient }, choice);
    const isSent = await this.transactions.attempt(`${name} ${recovery.next.height}`, (sending) =>
      contract.send(name, values, sending),
    );
    if (isSent) this.transactions.say({ kind: 'requested', ...said });
  }

  private async wait(
    { until, next }: { readonly until: number; readonly next: number },
    now: number,
  ): Promise<void> {
    this.transactions.sayOnce({ kind: 'waiting', until });
    await this.transactions.pause(next - now > SHORTLY_SECONDS ? LONG_PAUSE_MS : SHORT_PAUSE_MS);
  }

  /** Announces the freeze, or freezes. */
  private async end(what: 'announce' | 'freeze', by: FreezeReason): Promise<void> {
    this.transactions.say({ kind: what === 'announce' ? 'announcing' : 'freezing' });
    const [name, index] =
      by === 'request' ? [`${what}ByRequest`, this.accountId] : [`${what}ByDeposit`, by.deposit];
    await this.transactions.attempt(`${name} ${index}`, (sending) =>
      this.options.contract.send(name, [index], sending),
    );
  }

  private async withdraw(recovery: OwnRecovery): Promise<Address | undefined> {
    const { contract, fromBlock } = this.options;
    const { height } = await contract.state();
    if (height !== recovery.next.height - 1) {
      // A batch came between the look and the freeze, or the client is behind.
      this.transactions.sayOnce({ kind: 'refused', reason: 'StateChanged' });
      await this.transactions.pause(SHORT_PAUSE_MS);
      return undefined;
    }
    this.transactions.sayOnce({ kind: 'frozen', height, history: await this.history() });
    // Read from the beginning: no later block says what was in one that was replaced.
    const deposits = await new DepositFollower(contract, this.accountId, fromBlock).look();
    return new FrozenWithdrawal(this.options, this.transactions, recovery).run(deposits);
  }

  /** For people: the way out needs none of it. */
  private async history(): Promise<FreezeHistory | undefined> {
    const { contract, fromBlock } = this.options;
    try {
      return (this.knownHistory ??= await findFreeze(contract, fromBlock));
    } catch (error) {
      if (error instanceof ChainRpcError || error instanceof ChainUnavailableError) return undefined;
      throw error;
    }
  }

  private sayKept({ own, openOrders }: OwnRecovery): void {
    const isKept = (tokenId: number, amount: bigint) => amount > 0n && isWanted(this.options.tokens, tokenId);
    const orders = openOrders.filter(({ order }) => isKept(order.tokenId, order.amount)).length;
    const balances = [...own.balances].filter(([tokenId, amount]) => isKept(tokenId, amount)).length;
    if (orders + balances > 0) this.transactions.say({ kind: 'kept', orders, balances });
  }
}

function describe(choice: RequestChoice) {
  if (choice.kind === 'transfer') return { tokenId: choice.tokenId, amount: choice.amount };
  const { order, totalIndex } = choice.received;
  return { tokenId: order.tokenId, amount: order.amount, order: totalIndex, passed: choice.passed };
}
