import { createExecutor, decodeTransaction, parseGenesis, type Genesis } from '@tetrad/node-execution';
import {
  encodeOperation,
  permissionConfigText,
  type PermissionModel,
  type PermissionNode,
  type PermissionOperation,
} from '@tetrad/node-permission-contracts';
import {
  ContractPermission,
  PermissionView,
  parsePermissionConfig,
  type PermissionConfig,
  type PermissionRecords,
} from '@tetrad/node-permissioning';
import { createTestDatabase, type DevelopmentAccount, type TestDatabase } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import {
  bytesFromHex,
  silentLogger,
  silentMetrics,
  type Address,
  type Block,
  type Hex,
  type SignedTransaction,
} from '@tetrad/types';
import {
  openTestLedger,
  type TestLedger,
} from '../../../libs/node/chain/consensus-bft-chain/test/open-test-ledger.js';
import { nextBlock } from '../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { foreseenAddresses, guardian, sendDeployment } from './permissioned-network.js';
import { CHAIN_ID } from './running-node.js';

const POLICY = { networkAdminOrg: 'NETWORK', networkAdminRole: 'NWADMIN', orgAdminRole: 'ORGADMIN' };
/** The most that a transaction may have. */
const MUCH_GAS = 1n << 24n;

export interface PermissionedLedgerSetup {
  readonly model: PermissionModel;
  readonly genesis: object;
  /** Keys of the validators, the first of which proposes the blocks that are made here; all seal them. */
  readonly keys: readonly Uint8Array[];
  /** Whether blocks are checked by the contracts, as under the second model; a modified node does not. */
  readonly enforces: boolean;
}

/** A node's chain with permission contracts, without a network: blocks are of given transactions, in their order. */
export class PermissionedLedger {
  private readonly nonces = new Map<Address, bigint>();

  private constructor(
    readonly setup: PermissionedLedgerSetup,
    readonly chain: TestLedger,
    private readonly opened: { readonly database: TestDatabase; readonly genesis: Genesis },
    /** As a node has it that follows the chain from the genesis block on. */
    readonly view: PermissionView,
  ) {}

  static async open(
    setup: PermissionedLedgerSetup,
    accounts: readonly Address[],
  ): Promise<PermissionedLedger> {
    const genesis = parseGenesis(setup.genesis);
    const config = configOf(setup.model, accounts);
    const database = await createTestDatabase('node');
    const { mayTransact } = new ContractPermission({
      executor: createExecutor(genesis),
      chainId: genesis.chainId,
      config,
      isEnforced: () => true,
    });
    const chain = await openTestLedger(database.url, { genesis, ...(setup.enforces && { mayTransact }) });
    return new PermissionedLedger(setup, chain, { database, genesis }, await openView(chain, config));
  }

  get records(): PermissionRecords {
    return this.view.records;
  }

  /** Records as a node reads them that starts now. */
  async recordsAtStart(): Promise<PermissionRecords> {
    return (await openView(this.chain, this.view.config)).records;
  }

  /** A transaction of the account; its nonce is the one after that of the last. */
  sign(
    { address, privateKey }: DevelopmentAccount,
    call: { readonly to?: Address; readonly data?: Hex; readonly gas?: bigint },
  ): SignedTransaction {
    const nonce = this.nonces.get(address) ?? 0n;
    this.nonces.set(address, nonce + 1n);
    const { to, data = '0x', gas = MUCH_GAS } = call;
    const fees = { type: 'legacy', gasPrice: 0n } as const;
    const chainId = BigInt(CHAIN_ID);
    const unsigned = { chainId, nonce, gasLimit: gas, to, value: 0n, data: bytesFromHex(data), fees };
    return decodeTransaction(signTransaction(unsigned, privateKey), chainId);
  }

  operation(account: DevelopmentAccount, operation: PermissionOperation): SignedTransaction {
    const to = this.view.config.addresses.interface;
    return this.sign(account, { to, data: encodeOperation(this.setup.model, operation) });
  }

  /**
   * A block of the transactions on the head, which is not imported.
   * @throws as the rules of this node's blocks do
   */
  propose(transactions: readonly SignedTransaction[]): Promise<Block> {
    const { keys } = this.setup;
    return nextBlock(this.chain, { proposerKey: keys[0] as Uint8Array, keys, transactions });
  }

  /**
   * Imports a block of the transactions.
   * @returns which of them succeeded
   */
  async append(transactions: readonly SignedTransaction[]): Promise<readonly boolean[]> {
    await this.chain.ledger.importBlock(await this.propose(transactions));
    const receipts = await this.chain.ledger.listReceipts(this.chain.ledger.head());
    return receipts.map(({ receipt }) => receipt.status === 1);
  }

  /** Deploys the contracts and sets the network up, with the nodes. */
  async setUp(nodes: readonly PermissionNode[]): Promise<void> {
    const { config } = this.view;
    const creations: SignedTransaction[] = [];
    await sendDeployment(config.model, (call) => creations.push(this.sign(guardian, call)));
    const steps: readonly PermissionOperation[] = [
      { name: 'setPolicy', ...POLICY },
      { name: 'init', breadth: config.subOrgBreadth, depth: config.subOrgDepth },
      ...nodes.map((node) => ({ name: 'addAdminNode', node }) as const),
      ...config.accounts.map((account) => ({ name: 'addAdminAccount', account }) as const),
      { name: 'updateNetworkBootStatus' },
    ];
    const calls = steps.map((step) => this.operation(guardian, step));
    const results = [...(await this.append(creations)), ...(await this.append(calls))];
    if (results.includes(false)) throw new Error('the network cannot be set up');
  }

  async close(): Promise<void> {
    await this.chain.close();
    await this.opened.database.drop();
  }
}

function configOf(model: PermissionModel, accounts: readonly Address[]): PermissionConfig {
  const policy = { model, ...POLICY, accounts: [...accounts], subOrgDepth: 3, subOrgBreadth: 3 };
  return parsePermissionConfig(permissionConfigText(policy, foreseenAddresses()));
}

function openView({ ledger }: TestLedger, config: PermissionConfig): Promise<PermissionView> {
  return PermissionView.open({
    chain: ledger,
    config,
    isRaft: false,
    isEnforcedAfter: () => true,
    lists: { apply: () => Promise.resolve() },
    logger: silentLogger,
    metrics: silentMetrics,
  });
}

/** All of records, for comparison. */
export function contentOf(records: PermissionRecords): object {
  return {
    networkBoot: records.networkBoot,
    orgs: records.orgs(),
    roles: records.roles(),
    accounts: records.accounts(),
    nodes: records.nodes(),
  };
}
