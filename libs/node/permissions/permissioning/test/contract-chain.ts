import type { Executor, WorldState } from '@tetrad/node-execution';
import {
  deployPermissions,
  encodeOperation,
  permissionConfigText,
  type PermissionModel,
  type PermissionOperation,
} from '@tetrad/node-permission-contracts';
import { parseAddress, bytesFromHex, type Address, type Log } from '@tetrad/types';
import { call, type Simulation } from '../../../chain/execution/src/executor/simulate.js';
import { CHAIN_ID, Chain } from '../../../chain/execution/src/testing/chain.js';
import {
  GUARDIAN,
  OPERATION_GAS,
  POLICY,
  nodeOf,
  senderOf,
} from '../../permission-contracts/test/permission-chain.js';
import { missingSteps } from '../src/boot/boot-steps.js';
import { parsePermissionConfig, type PermissionConfig } from '../src/config/permission-config.js';
import { ContractState } from '../src/contracts/contract-state.js';
import { readRecords } from '../src/contracts/read-records.js';
import { eventOf } from '../src/following/event-of.js';
import { DEFAULT_RECORD_CAPACITY, PermissionRecords } from '../src/records/permission-records.js';

export const ADMINS = [1, 2, 3].map((number) => parseAddress(`0x${`0${number}`.repeat(20)}`));
const NODE_KEY_ACCOUNT = parseAddress(`0x${'bb'.repeat(20)}`);

/** The contracts in a state in memory, with the records that a node makes of their events. */
export class ContractChain {
  private constructor(
    readonly config: PermissionConfig,
    readonly stage: Simulation,
    readonly followed = new PermissionRecords(),
  ) {}

  static async deploy(model: PermissionModel): Promise<ContractChain> {
    const stage = (await Chain.start({ fork: 'byzantium' })).simulation();
    const addresses = await deployPermissions({ model, ...senderOf(stage, GUARDIAN) });
    const policy = { model, ...POLICY, accounts: ADMINS, subOrgDepth: 4, subOrgBreadth: 3 };
    return new ContractChain(parsePermissionConfig(permissionConfigText(policy, addresses)), stage);
  }

  /** A network that is set up, with one node. */
  static async boot(model: PermissionModel): Promise<ContractChain> {
    const chain = await ContractChain.deploy(model);
    await chain.setUp();
    return chain;
  }

  /** The same state, apart, with the records of a node that starts in it. */
  async copy(): Promise<ContractChain> {
    const stage = { ...this.stage, world: await this.stage.world.settled() };
    return new ContractChain(this.config, stage, await this.read());
  }

  get network() {
    return { model: this.config.model, isRaft: false } as const;
  }

  /**
   * Sends the operation, whatever becomes of it.
   * @returns whether it was taken
   */
  operate(from: Address, operation: PermissionOperation, gas?: bigint): Promise<boolean> {
    return this.send(from, bytesFromHex(encodeOperation(this.config.model, operation)), gas);
  }

  /**
   * Calls the interface contract.
   * @returns whether it was not reverted
   */
  async send(from: Address, data: Uint8Array, gas = OPERATION_GAS): Promise<boolean> {
    const to = this.config.addresses.interface;
    const { logs, failure } = await call(this.stage, { from, to, gas, data });
    if (failure === undefined) this.follow(logs);
    return failure === undefined;
  }

  /** As the node that comes first does it. */
  async setUp(): Promise<void> {
    const { config } = this;
    for (const step of missingSteps(this.followed, { config, nodes: [nodeOf(1)], isRaft: false }))
      if (!(await this.operate(NODE_KEY_ACCOUNT, step))) throw new Error(`${step.name} was reverted`);
  }

  get rules() {
    const { addresses } = this.config;
    return { rules: this.executor.rules(this.stage.block), chainId: CHAIN_ID, addresses };
  }

  get executor(): Executor {
    return this.stage.executor as unknown as Executor;
  }

  /** The state with all changes at its root. */
  async world(): Promise<WorldState> {
    return published(await this.stage.world.settled());
  }

  /** The same with changes on top of the root of the last copy. */
  get changedWorld(): WorldState {
    return published(this.stage.world);
  }

  /** The contracts as a node reads them. */
  async state(): Promise<ContractState> {
    return new ContractState({ ...this.rules, world: await this.world() });
  }

  /** Records that a node reads when it starts. */
  async read(): Promise<PermissionRecords> {
    return readRecords(await this.state(), { ...this.network, capacity: DEFAULT_RECORD_CAPACITY });
  }

  private follow(logs: readonly Log[]): void {
    for (const log of logs) {
      const event = eventOf(log, this.network);
      if (event !== undefined) this.followed.apply(event);
    }
  }
}

/** All contents of records, for comparison. */
export function contentOf(records: PermissionRecords): object {
  return {
    networkBoot: records.networkBoot,
    orgs: records.orgs(),
    nodes: records.nodes(),
    roles: records.roles(),
    accounts: records.accounts(),
  };
}

/** Converts types: this file imports sources, the library imports packages, and both declare the same classes. */
function published(world: Simulation['world']): WorldState {
  return world as unknown as WorldState;
}
