import { keccakHash, sha3_512, signingKeyOf, type SigningKey } from '@tetrad/crypto';
import type { KnownExtension } from '@tetrad/node-store';
import { VirtualClock } from '@tetrad/testkit';
import {
  parseAddress,
  parseHash,
  parsePtmKey,
  silentLogger,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';
import type { PartyStates } from '../src/confirmation/party-states.js';
import { Confirmations } from '../src/confirmation/confirmations.js';
import type { PartyMail } from '../src/confirmation/party-mail.js';
import { PartyMessages } from '../src/confirmation/party-messages.js';
import type { ContractState } from '@tetrad/node-agreement';

export const CHAIN_ID = 1337n;
export const CONTRACT = parseAddress(`0x${'c0'.repeat(20)}`);
export const MANAGEMENT = parseAddress(`0x${'a1'.repeat(20)}`);
/** Blocks at which the extension was approved, and in which the state is shared. */
export const [APPROVED, SHARED] = [10, 14] as const;

/** An answer of a manager to which nothing else is known. */
const NOT_FOUND = { kind: 'not-found' } as const;

export const keyOf = (index: number): PtmKey =>
  parsePtmKey(Buffer.alloc(32, 0x70 + index).toString('base64'));
export const hashOf = (block: number): Hash => keccakHash(Buffer.from(`block ${block}`));

/** A state that differs by the value of one slot. */
export function stateWith(slot: number, more: Partial<ContractState> = {}): ContractState {
  const storageRoot = keccakHash(Buffer.from(`slot ${slot}`));
  return { nonce: 1n, balance: 0n, storageRoot, codeHash: keccakHash(Buffer.of(1)), ...more };
}

interface Payload {
  readonly plaintext: Uint8Array;
  readonly sender: PtmKey;
  readonly to: readonly PtmKey[];
}

/** Managers that reach each other, and a clock, for nodes that are connected to each other. */
export class PartyNetwork {
  readonly clock = new VirtualClock();
  readonly nodes: PartyNode[] = [];
  readonly payloads = new Map<string, Payload>();

  add(options: PartyOptions = {}): PartyNode {
    const node = new PartyNode(this, this.nodes.length, options);
    this.nodes.push(node);
    return node;
  }

  store(payload: Payload): Uint8Array {
    const hash = sha3_512(Buffer.from(`${this.payloads.size}`));
    this.payloads.set(Buffer.from(hash).toString('base64'), payload);
    return hash;
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    while (!isDone) {
      await new Promise((turn) => setImmediate(turn));
      await this.clock.runUntil(this.clock.now() + 100, () => isDone);
    }
    return done;
  }
}

export interface PartyOptions {
  /** What its private state has at each block; nothing before the first. */
  readonly states?: ReadonlyMap<number, ContractState>;
  /** Keys of the contract's parties, as it knows them. */
  readonly parties?: readonly PtmKey[];
  /** Whether it knows the extension, and has begun it. */
  readonly row?: 'initiator' | 'other';
  readonly isSilent?: boolean;
}

/** A node with its manager. */
export class PartyNode {
  readonly key: PtmKey;
  readonly nodeKey: SigningKey;
  readonly nodeId: string;
  readonly mail: PartyMail;
  readonly confirmations: Confirmations;
  readonly messages: PartyMessages;
  /** Key of the initiator, as its manager knows it. */
  initiatorKey = keyOf(0);
  recipientKey = keyOf(3);
  /** Hashes of what it sent. */
  readonly sent: Uint8Array[] = [];

  constructor(
    readonly network: PartyNetwork,
    index: number,
    readonly options: PartyOptions,
  ) {
    this.key = keyOf(index);
    this.nodeKey = signingKeyOf(Buffer.alloc(32, index + 1));
    this.nodeId = Buffer.from(this.nodeKey.publicKey).toString('hex');
    const notify = (hash: Uint8Array) => {
      for (const node of network.nodes) if (node !== this) node.hear(hash, this.nodeId);
    };
    this.mail = {
      notify,
      // A manager sends under its own key only.
      send: async (plaintext, _, to) => {
        const hash = network.store({ plaintext, sender: this.key, to: [to] });
        this.sent.push(hash);
        notify(hash);
        return hash;
      },
    };
    const { clock } = network;
    let ids = 0;
    const randomId = () => keccakHash(Buffer.from(`id ${index} ${ids++}`));
    const about = { chainId: CHAIN_ID, mail: this.mail, clock };
    this.confirmations = new Confirmations({ ...about, hashOf: async (block) => hashOf(block), randomId });
    this.messages = new PartyMessages({
      ...about,
      nodeKey: this.nodeKey,
      manager: this,
      store: this,
      logger: silentLogger,
      states: this.states,
      partiesOf: async () => ({
        parties: new Set(options.parties ?? []),
        own: new Set([this.key]),
      }),
      onStatement: (statement, sender, node) => this.confirmations.take(statement, sender, node),
    });
  }

  hear(hash: Uint8Array, node: string): void {
    if (this.options.isSilent !== true) this.messages.received(hash, node);
  }

  async receive(hash: Uint8Array) {
    if (hash.length === 1)
      return { kind: 'found', value: this.payload(new Uint8Array(0), this.initiatorKey) } as const;
    const payload = this.network.payloads.get(Buffer.from(hash).toString('base64'));
    const isOwn = payload?.sender === this.key || payload?.to.includes(this.key) === true;
    if (payload === undefined || !isOwn) return NOT_FOUND;
    return { kind: 'found', value: this.payload(payload.plaintext, payload.sender) } as const;
  }

  /** The recipient's manager knows only itself. */
  async participants() {
    return { kind: 'found', value: [this.key] } as const;
  }

  async findAnyExtension(management: Address): Promise<KnownExtension | undefined> {
    const { row } = this.options;
    if (row === undefined || management !== MANAGEMENT) return undefined;
    return {
      management,
      contract: CONTRACT,
      initiator: CONTRACT,
      recipient: CONTRACT,
      recipientKey: this.recipientKey,
      creation: new Uint8Array(1),
      isInitiator: row === 'initiator',
      isRecipient: false,
      approvedBlock: APPROVED,
      finishedBlock: undefined,
    };
  }

  private payload(plaintext: Uint8Array, sender: PtmKey) {
    const rest = { privacyFlag: 0, affected: [], execHash: '', privacyGroupId: undefined };
    return { ...rest, plaintext, sender, managedParties: [this.key] };
  }

  private readonly stateAt = (block: number): ContractState | undefined =>
    [...(this.options.states ?? [])].findLast(([from]) => from <= block)?.[1];

  get states(): PartyStates {
    return {
      demand: async () => undefined,
      hashOf: async (block) => hashOf(block),
      rootAt: async (block) => this.stateAt(block)?.storageRoot ?? parseHash(`0x${'00'.repeat(32)}`),
      findState: async (contract, block) => (contract === CONTRACT ? this.stateAt(block) : undefined),
    };
  }
}
