import { bytesFromHex, hexFromBytes, parseAddress, type Address, type Hex } from '@tetrad/types';
import { getCreateAddress } from 'ethers/address';
import { call, type CallOutcome, type Simulation } from '../../../chain/execution/src/executor/simulate.js';
import { findAccount } from '../../../chain/execution/src/state/read-account.js';
import { Chain } from '../../../chain/execution/src/testing/chain.js';
import {
  decodeEvent,
  deployPermissions,
  encodeOperation,
  permissionAbi,
  permissionViews,
  type PermissionAddresses,
  type PermissionContract,
  type PermissionEvent,
  type PermissionModel,
  type PermissionNode,
  type PermissionOperation,
  type PermissionView,
} from '../src/index.js';

/** Outcome of a message: its events in order, or the text of its revert. */
export type Outcome =
  { readonly events: readonly PermissionEvent[]; readonly gasUsed: bigint } | { readonly revert: string };

export const GUARDIAN = accountOf(0xaa);
/** Gas with which GoQuorum's nodes send operations. */
export const OPERATION_GAS = 4_712_384n;
/** Gas limit of a block, and of boot transactions. */
const BLOCK_GAS = 47_000_000n;

export const POLICY = {
  networkAdminOrg: 'ADMINORG',
  networkAdminRole: 'NWADMIN',
  orgAdminRole: 'ORGADMIN',
} as const;

export const NETWORK_ADMIN = accountOf(1);
export const ORG_ADMIN = accountOf(2);
/** An account without an org. */
export const STRANGER = accountOf(99);

/** An account that differs for each number up to 2^16. */
export function accountOf(number: number): Address {
  return parseAddress(`0x${number.toString(16).padStart(4, '0').repeat(10)}`);
}

/** A node that differs for each number up to 2^16. */
export function nodeOf(number: number): PermissionNode {
  const enodeId = number.toString(16).padStart(4, '0').repeat(32);
  const ip = `10.0.${number >> 8}.${number & 255}`;
  const url = `enode://${enodeId}@${ip}:30303?discport=0`;
  return { url, enodeId, ip, port: 30_303, raftPort: 0 };
}

/** The permission contracts on a chain with Tetrad's interpreter, one message at a time. */
export class PermissionChain {
  private constructor(
    readonly model: PermissionModel,
    private readonly stage: Simulation,
    readonly addresses: PermissionAddresses,
  ) {}

  /** Connected contracts without records. Byzantium is the oldest fork for which they are compiled. */
  static async deploy(
    model: PermissionModel,
    fork: 'byzantium' | 'berlin' = 'byzantium',
  ): Promise<PermissionChain> {
    const stage = (await Chain.start({ fork })).simulation();
    const addresses = await deployPermissions({ model, ...senderOf(stage, GUARDIAN) });
    return new PermissionChain(model, stage, addresses);
  }

  /** Boots the network as the first node does. */
  static async boot(
    model: PermissionModel,
    admins: readonly Address[],
    { breadth = 3, depth = 4, nodes = [nodeOf(1)] } = {},
  ): Promise<PermissionChain> {
    const network = await PermissionChain.deploy(model);
    for (const operation of [
      { name: 'setPolicy', ...POLICY },
      { name: 'init', breadth, depth },
      ...nodes.map((node) => ({ name: 'addAdminNode', node })),
      ...admins.map((account) => ({ name: 'addAdminAccount', account })),
      { name: 'updateNetworkBootStatus' },
    ] as PermissionOperation[])
      await network.succeed(accountOf(0xbb), operation);
    return network;
  }

  /** With one network admin, account 1, and the org ABC with account 2 as its admin and node 2. */
  static async withOrg(model: PermissionModel): Promise<PermissionChain> {
    const network = await PermissionChain.boot(model, [NETWORK_ADMIN]);
    await network.addApprovedOrg(NETWORK_ADMIN, 'ABC', nodeOf(2), ORG_ADMIN);
    return network;
  }

  /** Proposes an org and approves it with the single vote that is needed. */
  async addApprovedOrg(by: Address, orgId: string, node: PermissionNode, account: Address): Promise<void> {
    await this.succeed(by, { name: 'addOrg', orgId, node, account });
    await this.succeed(by, { name: 'approveOrg', orgId, node, account });
  }

  /** An independent copy of the state. */
  copy(): PermissionChain {
    return new PermissionChain(this.model, { ...this.stage, world: this.stage.world.copy() }, this.addresses);
  }

  operate(from: Address, operation: PermissionOperation): Promise<Outcome> {
    return this.send(from, this.addresses.interface, encodeOperation(this.model, operation));
  }

  /**
   * @returns its events
   * @throws when it is reverted
   */
  async succeed(from: Address, operation: PermissionOperation): Promise<readonly PermissionEvent[]> {
    const outcome = await this.operate(from, operation);
    if ('revert' in outcome) throw new Error(`${operation.name}: ${outcome.revert}`);
    return outcome.events;
  }

  /** A call of any function of any of the contracts. */
  callContract(
    from: Address,
    contract: PermissionContract,
    name: string,
    values: readonly unknown[],
  ): Promise<Outcome> {
    const data = permissionAbi(this.model, contract).encodeFunctionData(name, values) as Hex;
    return this.send(from, this.addresses[contract], data);
  }

  async view<Parameters extends readonly unknown[], Value>(
    question: PermissionView<Parameters, Value>,
    ...parameters: Parameters
  ): Promise<Value> {
    const outcome = await run(
      this.stage,
      accountOf(0xcc),
      this.addresses[question.contract],
      question.encode(...parameters),
    );
    if (outcome.failure !== undefined) throw new Error(revertText(outcome));
    return question.decode(hexFromBytes(outcome.returnData));
  }

  /** Result of any view of any of the contracts. */
  async ask(
    from: Address,
    contract: PermissionContract,
    name: string,
    values: readonly unknown[],
  ): Promise<unknown[]> {
    const abi = permissionAbi(this.model, contract);
    const data = abi.encodeFunctionData(name, values) as Hex;
    const outcome = await run(this.stage, from, this.addresses[contract], data);
    if (outcome.failure !== undefined) throw new Error(revertText(outcome));
    return abi.decodeFunctionResult(name, outcome.returnData).toArray();
  }

  /** All records of the managers, in their order. */
  async records(): Promise<Records> {
    const views = permissionViews(this.model);
    const all = async <Entry>(count: PermissionView<[], number>, at: PermissionView<[number], Entry>) => {
      const entries: Entry[] = [];
      const length = await this.view(count);
      for (let index = 0; index < length; index++) entries.push(await this.view(at, index));
      return entries;
    };
    return {
      orgs: await all(views.numberOfOrgs, views.orgAt),
      roles: await all(views.numberOfRoles, views.roleAt),
      accounts: await all(views.numberOfAccounts, views.accountAt),
      nodes: await all(views.numberOfNodes, views.nodeAt),
      pending: await this.view(views.pendingOperation, POLICY.networkAdminOrg),
    };
  }

  /** Deploys another implementation over the same managers, which is not in use yet. */
  async deployImplementation(): Promise<Address> {
    const others = Object.entries(this.addresses).filter(([contract]) => contract !== 'implementation');
    const deployed: Partial<PermissionAddresses> = Object.fromEntries(others);
    const sender = { ...senderOf(this.stage, GUARDIAN), send: async () => undefined };
    return (await deployPermissions({ model: this.model, ...sender, deployed })).implementation;
  }

  async send(from: Address, to: Address, data: Hex): Promise<Outcome> {
    const outcome = await run(this.stage, from, to, data, OPERATION_GAS);
    if (outcome.failure !== undefined) return { revert: revertText(outcome) };
    const events = outcome.logs.map((log) => decodeEvent(this.model, log));
    return { events: events.filter((event) => event !== undefined), gasUsed: outcome.gasUsed };
  }
}

type Viewed<Name extends keyof ReturnType<typeof permissionViews>> = ReturnType<
  ReturnType<typeof permissionViews>[Name]['decode']
>;

export interface Records {
  readonly orgs: readonly Viewed<'orgAt'>[];
  readonly roles: readonly Viewed<'roleAt'>[];
  readonly accounts: readonly Viewed<'accountAt'>[];
  readonly nodes: readonly Viewed<'nodeAt'>[];
  readonly pending: Viewed<'pendingOperation'>;
}

/** Functions for `deployPermissions` that send as the guardian. */
export function senderOf(stage: Simulation, guardian: Address) {
  return {
    guardian,
    create: async (code: Hex): Promise<Address> => {
      const nonce = (await findAccount(stage.world, guardian))?.nonce ?? 0n;
      assertSuccess(await run(stage, guardian, undefined, code));
      return parseAddress(getCreateAddress({ from: guardian, nonce }));
    },
    send: async (to: Address, data: Hex): Promise<void> => {
      assertSuccess(await run(stage, guardian, to, data));
    },
    ask: async (to: Address, data: Hex): Promise<Hex> =>
      hexFromBytes(assertSuccess(await run(stage, guardian, to, data)).returnData),
  };
}

function run(
  stage: Simulation,
  from: Address,
  to: Address | undefined,
  data: Hex,
  gas = BLOCK_GAS,
): Promise<CallOutcome> {
  return call(stage, { from, to, data: bytesFromHex(data), gas });
}

function assertSuccess(outcome: CallOutcome): CallOutcome {
  if (outcome.failure !== undefined) throw new Error(revertText(outcome));
  return outcome;
}

const ERROR_STRING = '0x08c379a0';

/** The text of the revert, or the failure of the execution. */
function revertText({ failure, returnData }: CallOutcome): string {
  const data = hexFromBytes(returnData);
  if (!data.startsWith(ERROR_STRING)) return `${failure?.message} ${data}`;
  const length = Number(BigInt(`0x${data.slice(74, 138)}`));
  return Buffer.from(data.slice(138, 138 + 2 * length), 'hex').toString('utf8');
}
