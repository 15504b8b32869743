import type {
  CommitPayload,
  ConsensusMessage,
  MessageKind,
  ProposalMessage,
  RoundChangeMessage,
  RoundChangePayload,
  SignedPrepare,
  SignedRoundChange,
} from './consensus-message.js';
import { MessageError } from './message-error.js';
import { MESSAGE_CODES, prepareSender, recoverSender, roundChangeSender } from './message-signing.js';
import { readProposedBlock, type HeaderFormat } from './proposed-block.js';
import { readBytes, readHash, readHeight, readRound, viewTuple } from './rlp-fields.js';
import { isEmptyListView, viewList, viewRlp, type RlpView } from './rlp-view.js';

export interface DecodingLimits {
  /** Which header format blocks of a height have. */
  readonly formatAt: (height: number) => HeaderFormat;
  /** The whole message. */
  readonly maxBytes: number;
  /** Round changes and prepares inside a message, each; the number of validators is enough. */
  readonly maxNested: number;
}

const KINDS = new Map<number, MessageKind>(
  (Object.keys(MESSAGE_CODES) as MessageKind[]).map((kind) => [MESSAGE_CODES[kind], kind]),
);

/**
 * Reads what `encodeMessage` wrote and recovers the sender; signatures inside a justification are read, not recovered.
 *
 * Fails: MessageError, whatever the bytes are
 * Cost:  one recovery; one hash of the bytes
 */
export function decodeMessage(bytes: Uint8Array, limits: DecodingLimits): ConsensusMessage {
  if (bytes.length > limits.maxBytes) throw new MessageError(`message: above ${limits.maxBytes} bytes`);
  const kind = KINDS.get(bytes[0] ?? -1);
  if (kind === undefined) throw new MessageError('code: unknown');
  return decodeBody(kind, bytes.subarray(1), limits);
}

/** Reads the body that belongs to a code. Fails: MessageError. */
export function decodeBody(kind: MessageKind, body: Uint8Array, limits: DecodingLimits): ConsensusMessage {
  const item = viewRlp(body, 'message');
  switch (kind) {
    case 'prepare': {
      const prepare = readPrepare(item);
      return { kind, ...prepare, sender: prepareSender(prepare) };
    }
    case 'commit':
      return { kind, ...readCommit(kind, item) };
    case 'seal':
      return { kind, ...readCommit(kind, item) };
    case 'roundChange':
      return readRoundChange(item, limits);
    case 'proposal':
      return readProposal(item, limits);
  }
}

/** Layout: [[sequence, round, digest], signature]. */
export function readPrepare(item: RlpView): SignedPrepare {
  const { payload, signature } = readSigned(item, 'prepare');
  const [height, round, digest] = viewTuple(payload, 'prepare', 3);
  return {
    height: readHeight(height),
    round: readRound(round),
    digest: readHash(digest, 'digest'),
    signature,
  };
}

function readCommit(kind: 'commit' | 'seal', item: RlpView) {
  const { payload, signature } = readSigned(item, kind);
  const [height, round, digest, seal] = viewTuple(payload, kind, 4);
  const fields: CommitPayload = {
    height: readHeight(height),
    round: readRound(round),
    digest: readHash(digest, 'digest'),
    seal: kind === 'seal' ? readBytes(seal, 'seal', 65) : readBytes(seal, 'seal', 0, 65),
  };
  return { ...fields, signature, sender: recoverSender(kind, payload.encoded, signature) };
}

function readRoundChange(item: RlpView, limits: DecodingLimits): RoundChangeMessage {
  const [signed, block, prepares] = viewTuple(item, 'round change', 3);
  const roundChange = readSignedRoundChange(signed);
  return {
    kind: 'roundChange',
    ...roundChange,
    sender: roundChangeSender(roundChange),
    ...(isEmptyListView(block)
      ? {}
      : { block: readProposedBlock(block, limits.formatAt(roundChange.height)) }),
    prepares: viewList(prepares, 'prepares', { atMost: limits.maxNested }).map(readPrepare),
  };
}

function readSignedRoundChange(item: RlpView): SignedRoundChange {
  const { payload, signature } = readSigned(item, 'round change');
  const [height, round, prepared] = viewTuple(payload, 'round change', 3);
  return {
    height: readHeight(height),
    round: readRound(round),
    ...readPrepared(prepared),
    signature,
  };
}

function readPrepared(item: RlpView): Pick<RoundChangePayload, 'prepared'> {
  if (isEmptyListView(item)) return {};
  const [round, digest] = viewTuple(item, 'prepared', 2);
  return {
    prepared: { round: readRound(round, 'prepared round'), digest: readHash(digest, 'prepared digest') },
  };
}

function readProposal(item: RlpView, limits: DecodingLimits): ProposalMessage {
  const [signed, justification] = viewTuple(item, 'proposal', 2);
  const { payload, signature } = readSigned(signed, 'proposal');
  const [height, round, block] = viewTuple(payload, 'proposal', 3);
  const [roundChanges, prepares] = viewTuple(justification, 'justification', 2);
  const most = { atMost: limits.maxNested };
  const view = { height: readHeight(height), round: readRound(round) };
  return {
    kind: 'proposal',
    ...view,
    signature,
    sender: recoverSender('proposal', payload.encoded, signature),
    block: readProposedBlock(block, limits.formatAt(view.height)),
    roundChanges: viewList(roundChanges, 'round changes', most).map(readSignedRoundChange),
    prepares: viewList(prepares, 'prepares', most).map(readPrepare),
  };
}

function readSigned(item: RlpView, field: string): { payload: RlpView; signature: Uint8Array } {
  const [payload, signature] = viewTuple(item, field, 2);
  return { payload, signature: readBytes(signature, 'signature', 65) };
}
