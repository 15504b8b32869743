import type {
  Executor,
  ForkRules,
  MayTransact,
  TransactionBarrier,
  TransactionIntent,
  WorldState,
} from '@tetrad/node-execution';
import type { EnforcementSwitch } from '../config/enforcement-switch.js';
import type { PermissionConfig } from '../config/permission-config.js';
import { Answers } from './answers.js';
import { ACCOUNT_BARRIER } from './barriers.js';

export interface ContractPermissionParts {
  readonly executor: Pick<Executor, 'rules'>;
  readonly chainId: bigint;
  readonly config: PermissionConfig;
  readonly isEnforced: EnforcementSwitch;
}

/**
 * Permission of transactions by the contracts in the state before the block, so that the order within a block makes no
 * difference and every node gets the same answer (docs/adr/0086). It applies to transactions in blocks under the second
 * model, and under both models to those that private state executes behind markers (docs/adr/0156).
 */
export class ContractPermission {
  /** Answers of the last state. Callers at the head share one ContractPermission, private state has another. */
  private current: Answers | undefined;
  private opening: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ContractPermissionParts) {}

  readonly mayTransact: MayTransact = (transaction, { block, world }) => {
    if (!this.parts.isEnforced(block.number - 1)) return undefined;
    const rules = this.parts.executor.rules(block);
    const known = this.current?.isOf(world.root, rules.fork) ? this.current.known(transaction) : undefined;
    return known === undefined ? this.ask(transaction, { rules, world }) : barrierUnless(known);
  };

  private async ask(
    transaction: TransactionIntent,
    place: { readonly rules: ForkRules; readonly world: WorldState },
  ): Promise<TransactionBarrier | undefined> {
    const answers = await this.answersOf(place);
    return barrierUnless(answers.known(transaction) ?? (await answers.ask(transaction)));
  }

  /** Sequential, since each state takes over the answers of the last one. */
  private answersOf({ rules, world }: { rules: ForkRules; world: WorldState }): Promise<Answers> {
    const opened = this.opening.then(async () => {
      if (this.current?.isOf(world.root, rules.fork)) return this.current;
      const { config, chainId } = this.parts;
      const parts = { rules, chainId, config, world: world.base() };
      return (this.current = await Answers.open(parts, this.current));
    });
    this.opening = opened.catch(() => undefined);
    return opened;
  }
}

function barrierUnless(isAllowed: boolean): TransactionBarrier | undefined {
  return isAllowed ? undefined : ACCOUNT_BARRIER;
}
