import type { ForkName, TransactionIntent, WorldState } from '@tetrad/node-execution';
import {
  permissionDecisions,
  permissionViews,
  type PermissionModel,
} from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { PermissionConfig } from '../config/permission-config.js';
import { ContractState, type ContractStateParts } from '../contracts/contract-state.js';
import { readAccess } from '../contracts/read-access.js';
import { accessAllows } from '../records/access.js';

/** Maximum number of cached answers, one for each sender and kind of transaction. */
const KEPT_ANSWERS = 100_000;

/** Placeholder for any contract or recipient. */
const ANY_TARGET = parseAddress(`0x${'00'.repeat(19)}01`);
const NO_PAYLOAD = new Uint8Array(0);
const SOME_PAYLOAD = Uint8Array.of(0);

/** The kinds of transactions that contracts distinguish: docs/spec/permissions.md#transactions. */
type Kind = 'deploy' | 'call' | 'transfer';

/** The contracts of the second model cannot distinguish the zero address from a missing one. */
function kindOf({ to, data }: Pick<TransactionIntent, 'to' | 'data'>, model: PermissionModel): Kind {
  if (to === undefined || (to === ZERO_ADDRESS && model === 'v2')) return 'deploy';
  return data.length > 0 ? 'call' : 'transfer';
}

export interface AnswersParts extends Omit<ContractStateParts, 'addresses'> {
  readonly config: PermissionConfig;
}

/**
 * Cached answers of the contracts in one state, by sender and kind of transaction. The next state takes them over if all
 * accounts on which they depend are unchanged.
 */
export class Answers {
  private readonly state: ContractState;
  /** Made for the first answer: it takes memory for all that it may hold, and most states take over the one before. */
  private kept: LRUCache<string, { readonly isAllowed: boolean }> | undefined;
  private booted: boolean | undefined;
  /** Accounts on which the answers depend: address → its state. */
  private sources = new Map<Address, string>();

  private constructor(private readonly parts: AnswersParts) {
    this.state = new ContractState({ ...parts, addresses: parts.config.addresses });
  }

  /** @param before - answers of another state, which are moved to this one if they are valid in it */
  static async open(parts: AnswersParts, before: Answers | undefined): Promise<Answers> {
    const answers = new Answers(parts);
    await before?.moveTo(answers);
    return answers;
  }

  isOf(root: WorldState['root'], fork: ForkName): boolean {
    return this.parts.world.root === root && this.parts.rules.fork === fork;
  }

  /** The cached answer, if any. */
  known(transaction: TransactionIntent): boolean | undefined {
    if (this.booted === false) return true;
    return this.kept?.get(this.keyOf(transaction))?.isAllowed;
  }

  /**
   * Every account may transact until the contracts report that the network is set up, so that they can be deployed. From then
   * on an account may not transact when the contracts give no answer.
   * @throws as reads of the state do
   */
  async ask(transaction: TransactionIntent): Promise<boolean> {
    const booted = (this.booted ??= await this.isBooted());
    const isAllowed = !booted || (await this.decide(transaction.sender, this.kindOf(transaction)));
    const { world } = this.parts;
    const read = this.state
      .accountsRead()
      .map(async (address) => [address, await stateOf(world, address)] as const);
    const sources = await Promise.all(read);
    // Synchronously: answers that are moved must have all of their sources.
    for (const [address, state] of sources) this.sources.set(address, state);
    this.kept ??= new LRUCache({ max: KEPT_ANSWERS });
    this.kept.set(this.keyOf(transaction), { isAllowed });
    return isAllowed;
  }

  private kindOf(transaction: TransactionIntent): Kind {
    return kindOf(transaction, this.parts.config.model);
  }

  private keyOf(transaction: TransactionIntent): string {
    return `${transaction.sender} ${this.kindOf(transaction)}`;
  }

  private async isBooted(): Promise<boolean> {
    return (await this.state.ask(permissionViews(this.parts.config.model).networkBootStatus)) ?? false;
  }

  private async decide(sender: Address, kind: Kind): Promise<boolean> {
    const { config } = this.parts;
    if (config.model === 'v1')
      return accessAllows(await readAccess(this.state, config, sender), kind === 'deploy');
    const target = kind === 'deploy' ? ZERO_ADDRESS : ANY_TARGET;
    const payload = kind === 'transfer' ? NO_PAYLOAD : SOME_PAYLOAD;
    const { transactionAllowed } = permissionDecisions;
    return (await this.state.ask(transactionAllowed, sender, target, 0n, 0n, 0n, payload)) ?? false;
  }

  /** Moves all answers, or none if an account differs. */
  private async moveTo(next: Answers): Promise<void> {
    const { rules, world } = next.parts;
    if (rules.fork !== this.parts.rules.fork) return;
    // The loop also visits sources that are added meanwhile, and nothing is awaited between the last of them and the move.
    for (const [address, state] of this.sources) if ((await stateOf(world, address)) !== state) return;
    [next.kept, this.kept] = [this.kept, next.kept];
    [next.sources, this.sources] = [this.sources, next.sources];
  }
}

async function stateOf(world: WorldState, address: Address): Promise<string> {
  const account = await world.findAccount(address);
  if (account === undefined) return '';
  return `${account.nonce} ${account.balance} ${account.codeHash} ${account.storageRoot}`;
}
