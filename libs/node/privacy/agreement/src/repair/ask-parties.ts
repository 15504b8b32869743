import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import type { Address, Hash, PtmKey } from '@tetrad/types';
import { MAX_SHARED_STATE_BYTES } from '@tetrad/node-private-state';
import type { Heard } from '../exchange/heard.js';
import type { PartyAnswer, PartyAnswers } from './check-answers.js';
import { ReceivedParts } from './received-parts.js';
import { REPAIR_KINDS, decodePart, decodeRefusal } from './repair-parts.js';
import { signRequest, type RepairPurpose } from './repair-request.js';
import { openRepairStatement } from './repair-statement.js';
import type { RepairingParts } from './repairing-parts.js';

/** Of whom it is asked, and what. */
export interface Question {
  readonly contract: Address;
  readonly own: PtmKey;
  readonly source: PtmKey;
  readonly others: readonly PtmKey[];
  readonly block: number;
  readonly blockHash: Hash;
  /** Of the source; the others are asked for the account. */
  readonly purpose: Exclude<RepairPurpose, 'account'>;
}

/** Time after which a party that is silent is asked again: what its node does not have yet it drops. */
const AGAIN_MS = 5_000;

/** One question to several parties, and what they answer. */
export class AskParties {
  /** By which answers name the question; chosen at random. */
  readonly request: Hash;
  private readonly said = new Map<PtmKey, PartyAnswer>();
  private received: ReceivedParts | undefined;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly parts: Pick<
      RepairingParts,
      'chainId' | 'genesisHash' | 'nodeKey' | 'manager' | 'randomHash' | 'clock' | 'logger'
    >,
    readonly question: Question,
    private readonly onAnswer: () => void,
  ) {
    this.request = parts.randomHash();
  }

  get answers(): PartyAnswers {
    return this.said;
  }

  /** Whether all have answered, and the whole contract has come if it was asked for. */
  get isAnswered(): boolean {
    const { source, others, purpose } = this.question;
    if ([source, ...others].some((key) => !this.said.has(key))) return false;
    return purpose === 'offer' || this.said.get(source)?.kind === 'refused' || this.hasWhole;
  }

  get hasWhole(): boolean {
    return this.received?.isComplete === true;
  }

  /** The whole contract; undefined when it is not what the source has signed. */
  whole(): Uint8Array | undefined {
    return this.received?.whole();
  }

  /** Asks those that have not answered, and again after a while until `stop`. */
  ask(): void {
    this.askSilent().catch((error: unknown) => {
      this.parts.logger.warn('a party was not asked for a contract', { error });
    });
    this.cancel = this.parts.clock.schedule(AGAIN_MS, () => this.ask());
  }

  stop(): void {
    this.cancel();
  }

  /** Takes an answer. */
  hear(message: ReceivedMessage): Heard {
    const heard = this.take(message);
    if (heard === 'taken') this.onAnswer();
    return heard;
  }

  private async askSilent(): Promise<void> {
    const { chainId, genesisHash, manager, nodeKey } = this.parts;
    const { source, others, own, contract, block, blockHash } = this.question;
    const { request } = this;
    for (const to of [source, ...others]) {
      if (this.said.has(to)) continue;
      const purpose = to === source ? this.question.purpose : 'account';
      const subject = { chainId, genesisHash, contract, from: own, to, request, block, blockHash };
      const body = await signRequest({ ...subject, purpose }, nodeKey);
      await manager.sendMessage({ from: own, to, kind: REPAIR_KINDS.request, body });
    }
  }

  private take(message: ReceivedMessage): Heard {
    const { source, others, own } = this.question;
    if (message.to !== own || ![source, ...others].includes(message.from)) return 'foreign';
    if (message.kind === REPAIR_KINDS.statement) return this.takeStatement(message);
    if (message.kind === REPAIR_KINDS.part) return this.takePart(message);
    const refusal = decodeRefusal(message.body);
    if (refusal === undefined) return 'malformed';
    if (refusal.request !== this.request) return 'foreign';
    if (this.said.has(message.from)) return 'repeated';
    this.said.set(message.from, { kind: 'refused', reason: refusal.reason });
    return 'taken';
  }

  private takeStatement({ from, body }: ReceivedMessage): Heard {
    const { contract, own, source, block, blockHash, purpose } = this.question;
    const statement = openRepairStatement(body);
    if (statement === undefined) return 'malformed';
    const { chainId, genesisHash } = this.parts;
    const isOurs =
      statement.chainId === chainId &&
      statement.genesisHash === genesisHash &&
      statement.contract === contract &&
      statement.from === from &&
      statement.to === own &&
      statement.request === this.request &&
      statement.block === block &&
      statement.blockHash === blockHash;
    if (!isOurs) return 'foreign';
    if (this.said.has(from)) return 'repeated';
    if (from === source) {
      const { wholeBytes, wholeHash } = statement;
      if (wholeBytes === 0 || wholeBytes > MAX_SHARED_STATE_BYTES) return 'malformed';
      if (purpose === 'whole') this.received = new ReceivedParts(wholeBytes, wholeHash);
    }
    this.said.set(from, { kind: 'stated', statement, signed: body });
    return 'taken';
  }

  private takePart({ from, body }: ReceivedMessage): Heard {
    const part = decodePart(body);
    if (part === undefined) return 'malformed';
    if (part.request !== this.request || from !== this.question.source) return 'foreign';
    if (this.received === undefined) return 'foreign';
    return this.received.add(part.index, part.part) ? 'taken' : 'repeated';
  }
}
