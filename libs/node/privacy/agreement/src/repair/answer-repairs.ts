import { keccakHash } from '@tetrad/crypto';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { RequestError, TokenBuckets, ZERO_HASH, pause, type BucketRate, type PtmKey } from '@tetrad/types';
import type { Heard } from '../exchange/heard.js';
import { REPAIR_KINDS, encodePart, encodeRefusal, partsOf, type RepairRefusal } from './repair-parts.js';
import { openRequest, type RepairRequest } from './repair-request.js';
import { signRepairStatement } from './repair-statement.js';
import type { RepairingParts } from './repairing-parts.js';

/** Requests of one key that are looked at, and whole contracts that it is sent. */
const REQUESTS: BucketRate = { perSecond: 0.2, burst: 32 };
const WHOLE: BucketRate = { perSecond: 1 / 60, burst: 8 };
const MAX_SENDERS = 1_024;
/** Requests that are answered at once; further ones are dropped, and come again. */
const MAX_OPEN = 4;
/** How far the other party may be ahead of this node. */
const MAX_AHEAD = 256;
/** Where our manager has no room for a part: how often it is offered again, and after which time. */
const OFFERS = 60;
const OFFER_MS = 1_000;

type Answer =
  | { readonly refusal: RepairRefusal }
  | { readonly statement: Uint8Array; readonly whole: Uint8Array | undefined };

/** Answers parties that ask what a contract is, for a repair of theirs. */
export class AnswerRepairs {
  private readonly requests = new TokenBuckets<PtmKey>(REQUESTS, MAX_SENDERS);
  private readonly wholes = new TokenBuckets<PtmKey>(WHOLE, MAX_SENDERS);
  private readonly open = new Map<string, Promise<void>>();
  private isStopped = false;

  constructor(private readonly parts: RepairingParts) {}

  /** Begins to answer; never waits for it. */
  hear(message: ReceivedMessage): Heard {
    if (!this.requests.take(message.from, this.parts.clock.now())) return 'too-many';
    const request = openRequest(message.body);
    if (request === undefined) return 'malformed';
    if (!this.isOurs(request, message)) return 'foreign';
    if (this.open.has(request.request)) return 'repeated';
    if (this.open.size >= MAX_OPEN || this.isStopped) return 'too-many';
    if (request.purpose === 'whole' && !this.wholes.take(message.from, this.parts.clock.now()))
      return 'too-many';
    const work = this.answer(request)
      .catch((error: unknown) => {
        this.parts.logger.warn('a request for a contract was not answered', { party: request.from, error });
      })
      .finally(() => this.open.delete(request.request));
    this.open.set(request.request, work);
    return 'taken';
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.open.values());
  }

  private isOurs(request: RepairRequest, { from, to }: ReceivedMessage): boolean {
    const { chainId, genesisHash, followed } = this.parts;
    if (request.chainId !== chainId || request.genesisHash !== genesisHash) return false;
    return request.from === from && request.to === to && request.block <= followed() + MAX_AHEAD;
  }

  private async answer(request: RepairRequest): Promise<void> {
    const { from: to, to: from, request: id } = request;
    const answer = await this.decide(request);
    if ('refusal' in answer) {
      await this.send({ from, to }, REPAIR_KINDS.refusal, encodeRefusal(id, answer.refusal));
      return;
    }
    await this.send({ from, to }, REPAIR_KINDS.statement, answer.statement);
    const parts = answer.whole === undefined ? [] : partsOf(answer.whole);
    for (const [index, part] of parts.entries()) {
      const isSent = await this.send({ from, to }, REPAIR_KINDS.part, encodePart(id, index, part));
      if (!isSent) return;
    }
    if (answer.whole === undefined) return;
    const { contract, block } = request;
    const about = { party: to, contract, block, bytes: answer.whole.length };
    this.parts.logger.warn('a whole contract was sent to a party, which repairs its own', about);
  }

  private async decide(request: RepairRequest): Promise<Answer> {
    const { shared, store, findState, readWhole, hashOf, nodeKey, clock } = this.parts;
    const { contract, from: other, to: own, block, purpose } = request;
    // A stranger gets the same answer whether this node has the contract or not.
    if (!(await shared.isShared(contract, { own, other }))) return { refusal: 'notShared' };
    if (!(await this.follows(block)) || (await hashOf(block)) !== request.blockHash)
      return { refusal: 'notFollowed' };
    const state = await findState(contract, block);
    if (state === undefined) return { refusal: 'notShared' };
    const subject = { ...request, from: own, to: other, state };
    if (purpose === 'account') {
      const statement = { ...subject, wholeBytes: 0, wholeHash: ZERO_HASH };
      return { statement: await signRepairStatement(statement, nodeKey), whole: undefined };
    }
    if (!(await store.mayHaveWhole(contract, other, clock.now()))) return { refusal: 'notAllowed' };
    const found = await readWhole(contract, block);
    if (found === undefined || found === 'tooLarge') return { refusal: 'tooLarge' };
    const { payload } = found;
    const whole = { wholeBytes: payload.length, wholeHash: keccakHash(payload) };
    const statement = await signRepairStatement({ ...subject, ...whole }, nodeKey);
    return { statement, whole: purpose === 'whole' ? payload : undefined };
  }

  private async follows(block: number): Promise<boolean> {
    try {
      await this.parts.demand(block);
      return true;
    } catch (error) {
      if (error instanceof RequestError && error.code === 'PRIVATE_STATE_NOT_AVAILABLE') return false;
      throw error;
    }
  }

  /** @returns whether our manager has taken the message */
  private async send(
    { from, to }: { readonly from: PtmKey; readonly to: PtmKey },
    kind: string,
    body: Uint8Array,
  ): Promise<boolean> {
    const { manager, clock } = this.parts;
    for (let offer = 0; offer < OFFERS && !this.isStopped; offer++) {
      const taken = await manager.sendMessage({ from, to, kind, body });
      if (taken.kind === 'done' && taken.value === 'accepted') return true;
      if (taken.kind !== 'done' || taken.value !== 'full') return false;
      await pause(clock, OFFER_MS);
    }
    return false;
  }
}
