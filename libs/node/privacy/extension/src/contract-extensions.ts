import type { SendRequest, TransactionArguments } from '@tetrad/api-node';
import { managementCreation, managementWrites, type PayloadHash } from '@tetrad/node-private-state';
import type { PrivateHead } from '@tetrad/node-transactions';
import type { ActiveExtension, PrivateStateStore } from '@tetrad/node-store';
import { RequestError, ZERO_ADDRESS, type Address, type Hash, type PtmKey } from '@tetrad/types';
import {
  type AdminAccounts,
  assertExtensible,
  type ExtensionRequest,
  type HeadReader,
} from './extension-checks.js';
import { inspectContract, type InspectedContract, type InspectionParts } from './inspect-contract.js';
import { makeVote } from './make-vote.js';
import { ManagementContracts, type ManagementState } from './management-contracts.js';
import { stored, type ExtensionManager } from './manager-answers.js';

export interface ContractExtensionsParts extends HeadReader, Omit<InspectionParts, 'management' | 'store'> {
  readonly store: InspectionParts['store'] & Pick<PrivateStateStore, 'isExtending' | 'listExtensions'>;
  readonly manager: ExtensionManager;
  readonly head: Pick<PrivateHead, 'run'>;
  readonly admins: AdminAccounts;
  /** Creation code of the management contract. */
  readonly managementCode: Uint8Array;
  /** Accounts that this node signs for. */
  readonly accounts: () => readonly Address[];
  /**
   * Fills, signs and submits.
   * @throws RequestError of the rules of privacy, the manager and the pool
   */
  readonly send: (request: SendRequest) => Promise<Hash>;
  /** Whether the transaction waits for a block. */
  readonly isWaiting: (hash: Hash) => boolean;
}

/** Gas of a transaction to or of a management contract whose sender names none. */
const DEFAULT_GAS = 4_712_384n;
/** Inspections at the same time; each may read 100,000 slots. */
const MAX_INSPECTIONS = 4;

/** Begins, approves and cancels extensions of private contracts to new parties for the clients of this node. */
export class ContractExtensions {
  private readonly management: ManagementContracts;
  /** Contract whose extension was sent and is not in a block yet → its transaction; undefined before it has a hash. */
  private readonly begun = new Map<Address, Hash | undefined>();

  private inspections = 0;

  constructor(private readonly parts: ContractExtensionsParts) {
    this.management = new ManagementContracts(parts.head);
  }

  /** Pending extensions of which this node is the initiator or the recipient. */
  listActive(): Promise<ActiveExtension[]> {
    return this.parts.store.listExtensions();
  }

  /**
   * What is known before an extension is begun or approved.
   * @throws as `inspectContract`; TOO_MANY_CONCURRENT_REQUESTS
   */
  async inspect(address: Address, newParty: PtmKey | undefined): Promise<InspectedContract> {
    if (this.inspections >= MAX_INSPECTIONS)
      throw new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many concurrent requests');
    this.inspections++;
    try {
      return await inspectContract({ ...this.parts, management: this.management }, address, newParty);
    } finally {
      this.inspections--;
    }
  }

  /**
   * Whether the extension has ended, successfully or not.
   * @throws RequestError NO_MANAGEMENT_CONTRACT, PRIVATE_STATE_NOT_AVAILABLE
   */
  async isFinished(management: Address): Promise<boolean> {
    return (await this.management.read(management, ZERO_ADDRESS)).isFinished;
  }

  /**
   * Creates the management contract of a new extension.
   *
   * Source: docs/spec/contract-extension.md#beginning
   *
   * @returns hash of its creation
   * @throws RequestError by the checks of section 5.2, in their order; as `send`
   */
  async extend(request: ExtensionRequest): Promise<Hash> {
    const { contract, txArgs } = request;
    const isBegun = this.isBegun(contract);
    if (!isBegun) this.begun.set(contract, undefined);
    try {
      const { recipientKey, privateFor } = await assertExtensible(this.parts, request, isBegun);
      const data = managementCreation(this.parts.managementCode, { ...request, recipientKey });
      const hash = await this.send(txArgs, { data, privateFor });
      this.begun.set(contract, hash);
      return hash;
    } finally {
      if (!isBegun && this.begun.get(contract) === undefined) this.begun.delete(contract);
    }
  }

  /** @throws RequestError by the checks of section 5.3, in their order; as `send` */
  async approve(management: Address, approves: boolean, txArgs: TransactionArguments): Promise<Hash> {
    const { from, privateFrom } = txArgs;
    const privateFor = await this.assertMayApprove(management, from, () => this.assertSends(txArgs));
    const uuid = approves
      ? await makeVote(this.parts.manager, management, { from: privateFrom, to: privateFor })
      : '';
    return this.send(txArgs, { to: management, data: managementWrites.vote(approves, uuid), privateFor });
  }

  /**
   * Stores the proof of this node's vote with the manager, for an account that signs the vote itself.
   * @returns the hash that the vote carries
   * @throws RequestError by the checks of section 5.3 but that of the account's key; TRANSACTION_MANAGER_REFUSED,
   *   TRANSACTION_MANAGER_UNAVAILABLE
   */
  async prepareApproval(
    management: Address,
    signer: Address,
    { privateFrom, privateFor }: Pick<SendRequest, 'privateFrom' | 'privateFor'>,
  ): Promise<PayloadHash> {
    const to = await this.assertMayApprove(management, signer, () => assertNamed(privateFor));
    return makeVote(this.parts.manager, management, { from: privateFrom, to });
  }

  /** @throws RequestError by the checks of section 5.3, in their order; as `send` */
  async cancel(management: Address, txArgs: TransactionArguments): Promise<Hash> {
    const state = await this.management.read(management, txArgs.from);
    if (state.isFinished)
      throw new RequestError('EXTENSION_COMPLETE', 'contract extension process complete. nothing to cancel');
    const privateFor = this.assertSends(txArgs);
    if (state.creator !== txArgs.from)
      throw new RequestError('NOT_THE_CREATOR', 'account is not the creator of this extension request');
    return this.send(txArgs, { to: management, data: managementWrites.finish, privateFor });
  }

  /** Whether an extension of the contract is being sent, or waits for its block. */
  private isBegun(contract: Address): boolean {
    for (const [begun, hash] of this.begun) {
      if (hash !== undefined && !this.parts.isWaiting(hash)) this.begun.delete(begun);
    }
    return this.begun.has(contract);
  }

  /**
   * @param assertSends - checks that the vote can be sent
   * @returns its recipients
   */
  private async assertMayApprove(
    management: Address,
    account: Address,
    assertSends: () => readonly PtmKey[],
  ): Promise<readonly PtmKey[]> {
    const state = await this.management.read(management, account);
    if (state.isFinished)
      throw new RequestError('EXTENSION_COMPLETE', 'contract extension process complete. nothing to accept');
    if (!(await this.parts.admins.isAdmin(account)))
      throw new RequestError('NOT_AN_ADMIN_ACCOUNT', 'account cannot accept extension');
    const privateFor = assertSends();
    assertMayVote(state, account);
    await this.assertReachesInitiator(management, privateFor);
    return privateFor;
  }

  private assertSends({ from, privateFor }: TransactionArguments): readonly PtmKey[] {
    const named = assertNamed(privateFor);
    assertHolds(this.parts.accounts(), from);
    return named;
  }

  /** Checks that the vote is sent to the initiator. Otherwise it would be lost, and an account can vote only once. */
  private async assertReachesInitiator(management: Address, privateFor: readonly PtmKey[]): Promise<void> {
    const extension = await this.parts.store.findExtension(management);
    if (extension === undefined || extension.isInitiator) return;
    const initiator = stored(await this.parts.manager.receive(extension.creation))?.sender;
    if (initiator === undefined || privateFor.includes(initiator)) return;
    throw new RequestError(
      'PRIVATE_PARTICIPANTS_MISSING',
      `privateFor must contain the transaction manager key of the initiating node: ${initiator}`,
    );
  }

  /** Ignores flag and value of the arguments: management contracts are standard private. */
  private send(
    { from, privateFrom, gas = DEFAULT_GAS, gasPrice = 0n }: TransactionArguments,
    call: Pick<SendRequest, 'to' | 'data' | 'privateFor'>,
  ): Promise<Hash> {
    const sender = privateFrom === undefined ? {} : { privateFrom };
    return this.parts.send({ ...call, ...sender, from, gas, gasPrice, privacyFlag: 0 });
  }
}

/** @throws RequestError PRIVATE_PARTICIPANTS_MISSING */
function assertNamed(privateFor: readonly PtmKey[] | undefined): readonly PtmKey[] {
  if (privateFor !== undefined) return privateFor;
  throw new RequestError('PRIVATE_PARTICIPANTS_MISSING', 'must specify private participants');
}

/** @throws RequestError UNKNOWN_ACCOUNT */
function assertHolds(accounts: readonly Address[], account: Address): void {
  if (!accounts.includes(account))
    throw new RequestError('UNKNOWN_ACCOUNT', `no wallet found for account ${account}`);
}

function assertMayVote({ voters, hasVoted }: ManagementState, account: Address): void {
  if (!voters.includes(account))
    throw new RequestError('NOT_THE_ACCEPTOR', 'account is not acceptor of this extension request');
  if (hasVoted) throw new RequestError('ALREADY_VOTED', 'already voted');
}
