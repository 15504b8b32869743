import type { Executor, WorldState } from '@tetrad/node-execution';
import type { PermissionModel } from '@tetrad/node-permission-contracts';
import type { Block, BlockHeader, Gauge, Logger, Metrics, Receipt } from '@tetrad/types';
import type { EnforcementSwitch } from '../config/enforcement-switch.js';
import type { PermissionConfig } from '../config/permission-config.js';
import { ContractState } from '../contracts/contract-state.js';
import { readRecords } from '../contracts/read-records.js';
import { askContracts, type ContractAnswers } from '../contracts/silent-contracts.js';
import type { NodeLists } from '../node-lists/node-lists.js';
import type { NodeEntry } from '../records/entries.js';
import { DEFAULT_RECORD_CAPACITY, type PermissionRecords } from '../records/permission-records.js';
import { RecordFollower } from './record-follower.js';

/** The part of the chain that is read: its head, the state of the head, and new heads. */
export interface PermissionChain {
  readonly executor: Pick<Executor, 'rules'>;
  readonly genesis: { readonly chainId: bigint };
  head(): Block;
  /** Units: seconds since the epoch */
  secondsOf(header: BlockHeader): number;
  worldAt(block: Block): Promise<WorldState>;
  onBlock(listener: (block: Block, receipts: readonly Receipt[]) => void): unknown;
}

export interface PermissionViewParts {
  readonly chain: PermissionChain;
  readonly config: PermissionConfig;
  readonly isRaft: boolean;
  readonly isEnforcedAfter: EnforcementSwitch;
  /** Files that are updated with the status of each node. */
  readonly lists: Pick<NodeLists, 'apply'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The permission contracts after the head: read when the node starts, and then kept up to date by the events of each block,
 * synchronously when it becomes the head (docs/adr/0086).
 */
export class PermissionView {
  private caughtUp = false;
  private toldInForce: boolean | undefined;
  private readonly enforced: Gauge;

  private constructor(
    private readonly parts: PermissionViewParts,
    readonly records: PermissionRecords,
  ) {
    const { chain, lists, logger, metrics, config, isRaft } = parts;
    this.enforced = metrics.gauge('node_permissions_enforced', 'Whether permission contracts are enforced');
    const { model, addresses } = config;
    const onNodes = (nodes: readonly NodeEntry[]) => void lists.apply(nodes);
    const follower = new RecordFollower({ model, isRaft, addresses, records, logger, metrics, onNodes });
    // A status may have changed in a block after which the node was killed.
    onNodes(records.nodes());
    chain.onBlock((_, receipts) => {
      follower.follow(receipts);
      this.tell();
    });
    this.tell();
  }

  /** @throws PermissionContractError; as reads of the state do */
  static async open(parts: PermissionViewParts): Promise<PermissionView> {
    const { chain, config, isRaft, logger } = parts;
    const { number } = chain.head().header;
    const started = performance.now();
    const state = await stateAtHead(parts);
    warnOfContracts(await askContracts(state, config), parts);
    const capacity = DEFAULT_RECORD_CAPACITY;
    const records = await readRecords(state, { model: config.model, isRaft, capacity });
    logger.info('permission records read from the contracts', {
      block: number,
      model: config.model,
      networkBoot: records.networkBoot,
      orgs: records.orgs().length,
      nodes: records.nodes().length,
      roles: records.roles().length,
      accounts: records.accounts().length,
      seconds: (performance.now() - started) / 1_000,
    });
    return new PermissionView(parts, records);
  }

  get config(): PermissionConfig {
    return this.parts.config;
  }

  get model(): PermissionModel {
    return this.parts.config.model;
  }

  /** Whether URLs of nodes have raft ports. */
  get isRaft(): boolean {
    return this.parts.isRaft;
  }

  /** Number of the head, after which the records are. */
  get block(): number {
    return this.parts.chain.head().header.number;
  }

  /** Whether permissions are enforced on top of the head by the genesis file. */
  get isEnforced(): boolean {
    return this.parts.isEnforcedAfter(this.block);
  }

  /** Whether permissions are enforced and the network is set up. */
  get isInForce(): boolean {
    return this.records.networkBoot && this.isEnforced;
  }

  /** Whether this node has once had the blocks of its peers; before that the records are out of date. */
  get hasCaughtUp(): boolean {
    return this.caughtUp;
  }

  noteCaughtUp(): void {
    this.caughtUp = true;
  }

  /**
   * The contracts in the state of the head.
   * @throws as reads of the state do
   */
  atHead(): Promise<ContractState> {
    return stateAtHead(this.parts);
  }

  /**
   * Why records are incomplete by no fault of the organization that is concerned; undefined while they are not. An
   * organization that goes beyond its own bounds must not make the nodes of all others unready.
   */
  trouble(): string | undefined {
    const { crowdedOut } = this.records;
    return crowdedOut === 0 ? undefined : `${crowdedOut} entries of the permission contracts have no room`;
  }

  private tell(): void {
    const { isInForce } = this;
    if (isInForce === this.toldInForce) return;
    this.enforced.set(isInForce ? 1 : 0);
    const { number } = this.parts.chain.head().header;
    const text = isInForce ? 'permissions are enforced' : 'permissions are not enforced';
    this.parts.logger.info(text, { block: number, model: this.model });
    this.toldInForce = isInForce;
  }
}

/** A file of another network, or of the other model, would enforce nothing, or refuse all. */
function warnOfContracts(answers: ContractAnswers, { config, chain, logger }: PermissionViewParts): void {
  const { addresses } = config;
  const { number } = chain.head().header;
  if (!answers.anyAnswered) logger.warn('no permission contract answers yet', { block: number });
  else
    for (const name of answers.silent)
      logger.warn('a permission contract does not answer', {
        contract: name,
        address: addresses[name],
        block: number,
      });
  const { otherImplementation } = answers;
  if (otherImplementation !== undefined)
    logger.warn('the permission interface calls another implementation than permission-config.json names', {
      address: otherImplementation,
      block: number,
    });
}

async function stateAtHead({ chain, config }: PermissionViewParts): Promise<ContractState> {
  const head = chain.head();
  const next = { number: head.header.number + 1, timestamp: chain.secondsOf(head.header) };
  const { chainId } = chain.genesis;
  const [rules, world] = [chain.executor.rules(next), await chain.worldAt(head)];
  return new ContractState({ rules, chainId, addresses: config.addresses, world });
}
