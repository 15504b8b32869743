import type { SigningKey } from '@tetrad/crypto';
import { ContractExtensions, ExtensionDuties, ManagementContracts } from '@tetrad/node-extension';
import { loadManagementCode } from '@tetrad/node-private-state';
import { extensionAdmins } from '@tetrad/node-permissioning';
import type { Ledger } from '@tetrad/node-ledger';
import type { PeerNetwork } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { ExecutionGate } from '@tetrad/node-simulation';
import { LedgerHead, type TransactionSender } from '@tetrad/node-transactions';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock, type Address, type Hash } from '@tetrad/types';
import type { NodeIdentity } from '../open/node-identity.js';
import type { NodeModule } from '../open/node-module.js';
import type { ConfirmationConfig } from '../options/confirmation-options.js';
import { openConfirmations } from './open-confirmations.js';
import type { PrivateParts, Privacy } from './open-privacy.js';
import type { Permissions } from '../permissions/open-permissions.js';
import { ActiveExtensionsFile } from './active-extensions-file.js';

/** What is open when extensions start. */
interface Opened {
  readonly executions: ExecutionGate;
  readonly identity: Pick<NodeIdentity, 'dataDir'>;
  readonly ledger: Ledger;
  readonly peers: PeerNetwork;
  readonly permissions: Pick<Permissions, 'view'>;
  readonly pool: TransactionPool;
  readonly privacy: Privacy;
  readonly sender: TransactionSender;
}

/** Limit on a sender's transactions that are searched for one to a contract. */
const MAX_WAITING = 1_000n;

/**
 * Starts extensions of private contracts.
 * @returns undefined on a node without a transaction manager
 * @throws OperatorError
 */
export async function openExtensions(
  opened: Opened,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
  { config, nodeKey }: { readonly config: ConfirmationConfig; readonly nodeKey: SigningKey },
): Promise<NodeModule<ContractExtensions | undefined>> {
  const { ledger, pool, privacy, sender, executions } = opened;
  const { view } = opened.permissions;
  const { own, switchesAt } = privacy;
  if (own === undefined) return { parts: undefined, readiness: {}, close: async () => undefined };
  const head = new LedgerHead({ ledger, own, switchesAt, executions });
  const headState = () => demandHead(ledger, own);
  const { hearing, close: closeConfirmations } = openConfirmations(
    config,
    { logger },
    { ...opened, own, nodeKey },
  );
  const parts = {
    store: own.store,
    manager: own.manager,
    head,
    logger,
    clock: systemClock,
    headState,
    hearing,
    privateHead: async () => (await headState()).world,
    admins: extensionAdmins(view),
    managementCode: await loadManagementCode(),
    accounts: () => sender.accounts(),
    send: (request: Parameters<typeof sender.send>[0]) => sender.send(request),
    ...sentTransactions(ledger, pool),
    isAtHead: () => own.view.isAt(ledger.head().header.number),
  };
  const duties = new ExtensionDuties({ ...parts, management: new ManagementContracts(head) });
  const file = new ActiveExtensionsFile({ folder: opened.identity.dataDir, store: own.store, logger });
  const unsubscribe = wakeOnBlocks(own.follower, [duties, file]);
  const close = async () => {
    unsubscribe();
    await closeConfirmations();
    await duties.stop();
    await file.stop();
  };
  return { parts: new ContractExtensions(parts), readiness: {}, close };
}

/** Wakes them now, and after each block that private state has followed. */
function wakeOnBlocks(
  follower: Pick<PrivateParts['follower'], 'onFollowed'>,
  woken: readonly { wake(): void }[],
): () => void {
  const wake = () => {
    for (const one of woken) one.wake();
  };
  const unsubscribe = follower.onFollowed(wake);
  wake();
  return unsubscribe;
}

/** Private state at the head of the chain, for which the caller waits a bounded time. */
async function demandHead(ledger: Ledger, { view }: Pick<PrivateParts, 'view'>) {
  const { number: block } = ledger.head().header;
  await view.demand(block);
  return { block, world: await view.worldAt(block) };
}

/** Whether transactions of extensions wait for a block, or have one. */
function sentTransactions(ledger: Ledger, pool: TransactionPool) {
  return {
    isWaiting: (hash: Hash) => pool.find(hash) !== undefined,
    isMined: async (hash: Hash) => (await ledger.findReceipt(hash)) !== undefined,
    hasWaiting: (account: Address, to: Address) => hasWaiting(pool, account, to),
  };
}

/** Searches from the newest, as transactions of an account are ordered by nonce. */
async function hasWaiting(pool: TransactionPool, account: Address, to: Address): Promise<boolean> {
  const next = await pool.pendingNonce(account);
  for (let back = 1n; back <= MAX_WAITING && back <= next; back++) {
    const waiting = pool.transactionAt(account, next - back);
    if (waiting === undefined) return false;
    if (waiting.to === to) return true;
  }
  return false;
}
