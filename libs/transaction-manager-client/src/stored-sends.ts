import { AnswerLines } from './answer-lines.js';
import { readSentInGroup, type SentPayload, type SignedOutcome } from './answers.js';
import type { ManagerRequest } from './connection.js';
import type { ManagerFeatures } from './features.js';
import type { Outcome } from './outcome.js';
import { JSON_TYPE, sendGroupBody, sendSignedBody, type SendSignedRequest } from './requests.js';
import { SendGroups, type SignedSend } from './send-groups.js';

/** Stored payloads that are sent at a time, from which on payloads are looked up together. */
const MANY = 4;

interface StoredSend extends SignedSend {
  readonly request: SendSignedRequest;
  readonly signal: AbortSignal | undefined;
}

export interface StoredSendsParts {
  readonly features: (signal?: AbortSignal) => Promise<Outcome<ManagerFeatures>>;
  /** Sends one by `/sendsignedtx`. */
  readonly alone: (
    request: SendSignedRequest,
    body: string,
    signal: AbortSignal | undefined,
  ) => Promise<Outcome<SentPayload>>;
  /** Asks the manager; `take` gets the pieces of an answer. */
  readonly ask: (request: ManagerRequest, take: (piece: Buffer) => void) => Promise<Outcome<unknown>>;
  /** The manager refused sends in one request: it may be another program by now. */
  readonly refused: () => void;
}

/** Has payloads sent that were stored before, together where many are and the manager takes such requests. */
export class StoredSends {
  private underWay = 0;
  private readonly groups = new SendGroups<StoredSend>({
    alone: ({ request, body, signal }) => this.parts.alone(request, body, signal),
    together: (sends, tell) => this.together(sends, tell),
  });

  constructor(private readonly parts: StoredSendsParts) {}

  /** Whether many are sent at the same time. */
  get isBusy(): boolean {
    return this.underWay >= MANY;
  }

  /** Has a payload sent; in a request with others the signal does not end it. */
  async send(request: SendSignedRequest, signal: AbortSignal | undefined): Promise<Outcome<SentPayload>> {
    this.underWay += 1;
    try {
      const features = await this.parts.features(signal);
      const body = sendSignedBody(request);
      const hasGroups = features.kind === 'done' && features.value.sendGroups;
      if (!hasGroups) return await this.parts.alone(request, body, signal);
      return await this.groups.send({ hash: request.hash, body, request, signal });
    } finally {
      this.underWay -= 1;
    }
  }

  private async together(
    sends: readonly StoredSend[],
    tell: (one: SignedOutcome) => void,
  ): Promise<Outcome<unknown>> {
    const lines = new AnswerLines((line) => tell(readSentInGroup(line)));
    const headers = { 'content-type': JSON_TYPE };
    const request = { method: 'POST', path: '/sendsignedtxs', headers, body: sendGroupBody(sends) } as const;
    const outcome = await this.parts.ask(request, (piece) => lines.add(piece));
    if (outcome.kind === 'refused') this.parts.refused();
    return outcome;
  }
}
