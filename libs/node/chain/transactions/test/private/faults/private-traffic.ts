import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { contractAddressOf, wordFromAddress } from '@tetrad/node-evm';
import { decodeTransaction } from '@tetrad/node-execution';
import { PRIVACY_PRECOMPILE, type PrivacyFlag } from '@tetrad/node-private-state';
import { privateEnvelopeOf, signTransaction } from '@tetrad/transactions';
import { type Address, type PtmKey, type SignedTransaction } from '@tetrad/types';
import { CHAIN_ID } from '../../../../../privacy/private-state/test/recorded-chain.js';
import type { Distribution } from '../../../src/index.js';
import { callBox, createBox } from './box-calls.js';

/** A contract of the traffic. */
export interface TrafficContract {
  readonly address: Address;
  readonly privacyFlag: PrivacyFlag;
  /** Indexes of nodes, the creator's first. */
  readonly parties: readonly number[];
  readonly mandatory: readonly number[];
  /** Whether every party has had every transaction that entered it, so that all of them have one state. */
  isShared: boolean;
}

/** A payload to send to a manager and then to carry in a transaction. */
export interface PrivateAction {
  readonly sender: number;
  readonly to?: Address;
  readonly payload: Uint8Array;
  readonly parties: readonly number[];
  readonly privacyFlag: PrivacyFlag;
  readonly mandatory: readonly number[];
  /** Updates the known contracts after the action was sent. */
  readonly sent: (created: Address) => void;
}

/**
 * Sends an action's payload.
 * @returns its hash, or undefined when the rules of privacy forbid it
 */
export type SendPayload = (
  action: PrivateAction,
  call: { readonly sender: Address; readonly nonce: bigint; readonly gasLimit: bigint },
) => Promise<Uint8Array | undefined>;

/**
 * Sends a signed private transaction to its parties, for a marker.
 * @returns the hash that the marker carries as its data
 */
export type SendMarked = (action: PrivateAction, transaction: SignedTransaction) => Promise<Uint8Array>;

const GAS = 3_000_000n;
const FLAGS: readonly PrivacyFlag[] = [0, 1, 2, 3];

/** Random private traffic between nodes, each of which has one account: the same for the same random numbers. */
export class PrivateTraffic {
  readonly contracts: TrafficContract[] = [];
  private readonly keys: readonly Uint8Array[];
  private readonly nonces: bigint[];
  private publicBox: Address | undefined;

  constructor(
    private readonly random: () => number,
    nodes: number,
    private readonly out: { readonly payload: SendPayload; readonly marked: SendMarked },
  ) {
    this.keys = Array.from({ length: nodes }, (_, node) => keccak256(Uint8Array.of(0x70, node)));
    this.nonces = this.keys.map(() => 0n);
  }

  /**
   * Transactions of one block: at most one of each sender.
   * @param senders - indexes of nodes that may send
   */
  async next(senders: readonly number[]): Promise<SignedTransaction[]> {
    const transactions: SignedTransaction[] = [];
    for (const sender of senders) {
      if (transactions.length > 0 && this.random() < 0.4) continue;
      if (this.random() < 0.15) transactions.push(this.publicly(sender));
      else transactions.push(...(await this.privately(this.draw(sender))));
    }
    return transactions;
  }

  /** A public Box, which private contracts read, or another value in it. */
  private publicly(sender: number): SignedTransaction {
    const value = this.number();
    if (this.publicBox !== undefined)
      return this.sign(sender, this.publicBox, callBox('set(uint256)', value));
    this.publicBox = this.createdBy(sender);
    return this.sign(sender, undefined, createBox(value));
  }

  private async privately(action: PrivateAction): Promise<SignedTransaction[]> {
    const { sender, to } = action;
    const created = this.createdBy(sender);
    const call = { sender: this.address(sender), nonce: this.nonces[sender] ?? 0n, gasLimit: GAS };
    const data = await this.out.payload(action, call);
    if (data === undefined) return [];
    const fields = { nonce: call.nonce, gasPrice: 0n, gasLimit: GAS, to, value: 0n, data };
    const envelope = privateEnvelopeOf(fields);
    const raw = envelope.raw(signDigest(keccak256(envelope.preimage()), this.keys[sender] as Uint8Array));
    const transaction = decodeTransaction(raw, CHAIN_ID);
    const isMarked = this.random() < 0.25;
    const mined = isMarked
      ? this.sign(sender, PRIVACY_PRECOMPILE, await this.out.marked(action, transaction))
      : transaction;
    if (!isMarked) this.nonces[sender] = call.nonce + 1n;
    action.sent(created);
    return [mined];
  }

  private draw(sender: number): PrivateAction {
    const known = this.contracts.filter(({ parties }) => parties.includes(sender));
    const strange = this.contracts.filter(({ parties }) => !parties.includes(sender));
    const turn = this.random();
    if (known.length < 2 || turn < 0.2) return this.creation(sender);
    if (turn < 0.3 && strange.length > 0) return this.intrusion(sender, this.pick(strange));
    return this.call(sender, this.pick(known), known);
  }

  private creation(sender: number): PrivateAction {
    const privacyFlag = this.pick(FLAGS);
    const others = this.keys.flatMap((_, node) => (node === sender || this.random() < 0.35 ? [] : [node]));
    const parties = [sender, ...others];
    const mandatory = privacyFlag === 2 ? [this.pick(parties)] : [];
    return {
      sender,
      parties,
      privacyFlag,
      mandatory,
      payload: createBox(this.number()),
      sent: (address) => this.contracts.push({ address, privacyFlag, parties, mandatory, isShared: true }),
    };
  }

  /** A call by a node that is not a party, which protected contracts must reject. */
  private intrusion(sender: number, contract: TrafficContract): PrivateAction {
    const { address: to, parties } = contract;
    const payload = callBox('set(uint256)', this.number());
    return {
      sender,
      to,
      payload,
      parties: [sender, ...parties],
      privacyFlag: 0,
      mandatory: [],
      sent: () => undefined,
    };
  }

  private call(sender: number, contract: TrafficContract, known: readonly TrafficContract[]): PrivateAction {
    const { address: to, privacyFlag, mandatory } = contract;
    const other = this.pick(known);
    const isPartial = this.random() < 0.1;
    const parties = isPartial ? [sender] : contract.parties;
    const [payload, entered] = this.payloadOf(contract, other);
    const union = [...new Set([...mandatory, ...(entered === contract ? [] : entered.mandatory)])];
    return {
      sender,
      to,
      payload,
      parties,
      privacyFlag,
      mandatory: privacyFlag === 2 ? union : [],
      sent: () => markShared({ contract, entered, parties }),
    };
  }

  /** @returns and the other contract that it enters */
  private payloadOf(
    contract: TrafficContract,
    other: TrafficContract,
  ): readonly [Uint8Array, entered: TrafficContract] {
    const value = this.number();
    const turn = this.random();
    if (turn < 0.45) return [callBox('set(uint256)', value), contract];
    if (turn < 0.55) return [callBox('make(uint256)', value), contract];
    if (turn < 0.6) return [callBox('fail()'), contract];
    if (turn < 0.7 && this.publicBox !== undefined)
      return [callBox('copyFrom(address)', this.publicBox), contract];
    if (turn < 0.85) return [callBox('copyFrom(address)', other.address), other];
    return [callBox('setOther(address,uint256)', other.address, value), other];
  }

  private sign(sender: number, to: Address | undefined, data: Uint8Array): SignedTransaction {
    const nonce = this.nonces[sender] ?? 0n;
    this.nonces[sender] = nonce + 1n;
    const fields = { chainId: CHAIN_ID, nonce, gasLimit: GAS, to, value: 0n, data };
    const raw = signTransaction(
      { ...fields, fees: { type: 'legacy', gasPrice: 0n } },
      this.keys[sender] as Uint8Array,
    );
    return decodeTransaction(raw, CHAIN_ID);
  }

  private address(sender: number): Address {
    return addressFromPrivateKey(this.keys[sender] as Uint8Array);
  }

  private createdBy(sender: number): Address {
    return contractAddressOf(wordFromAddress(this.address(sender)), this.nonces[sender] ?? 0n);
  }

  private number(): number {
    return 1 + Math.floor(this.random() * 1_000_000);
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }
}

/** Two contracts that one transaction enters stay alike on all their parties only together. */
function markShared(call: {
  readonly contract: TrafficContract;
  readonly entered: TrafficContract;
  readonly parties: readonly number[];
}): void {
  const { contract, entered, parties } = call;
  const isEverywhere = [contract, entered].every((one) =>
    one.parties.every((party) => parties.includes(party)),
  );
  const isKnown = contract.parties.every((party) => entered.parties.includes(party));
  if (isEverywhere && isKnown && contract.isShared && entered.isShared) return;
  contract.isShared = false;
  entered.isShared = false;
}

/** The distribution of an action, by the keys of the nodes. */
export function distributionOf(action: PrivateAction, keys: readonly PtmKey[]): Distribution {
  const keyOf = (node: number) => keys[node] as PtmKey;
  const { sender, parties, privacyFlag, mandatory } = action;
  return {
    from: undefined,
    privacyFlag,
    mandatoryFor: mandatory.map(keyOf),
    to: parties.filter((party) => party !== sender).map(keyOf),
  };
}
