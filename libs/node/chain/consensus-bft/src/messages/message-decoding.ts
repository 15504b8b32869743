import { copyOf, type RlpFields } from '@tetrad/rlp';
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
import { MessageError, messageFields, readRound, readSignature, readView, wholly } from './message-fields.js';
import { MESSAGE_CODES, prepareSender, recoverSender, roundChangeSender } from './message-signing.js';
import { readProposedBlock, type HeaderFormat } from './proposed-block.js';

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
 * Cost: one recovery; one hash of the bytes
 *
 * @throws MessageError, whatever the bytes are
 */
export function decodeMessage(bytes: Uint8Array, limits: DecodingLimits): ConsensusMessage {
  if (bytes.length > limits.maxBytes) throw new MessageError(`message: above ${limits.maxBytes} bytes`);
  const kind = KINDS.get(bytes[0] ?? -1);
  if (kind === undefined) throw new MessageError('code: unknown');
  return decodeBody(kind, bytes.subarray(1), limits);
}

/**
 * Reads the body that belongs to a code.
 * @throws MessageError
 */
export function decodeBody(kind: MessageKind, body: Uint8Array, limits: DecodingLimits): ConsensusMessage {
  const fields = messageFields(body, kind);
  switch (kind) {
    case 'prepare': {
      const prepare = readPrepare(fields);
      return { kind, ...prepare, sender: prepareSender(prepare) };
    }
    case 'commit':
      return { kind, ...readCommit(kind, fields) };
    case 'seal':
      return { kind, ...readCommit(kind, fields) };
    case 'roundChange':
      return readRoundChange(fields, limits);
    case 'proposal':
      return readProposal(fields, limits);
  }
}

/** Layout: [[sequence, round, digest], signature]. */
function readPrepare(fields: RlpFields): SignedPrepare {
  const { said, signature } = readSigned(fields, readSubject);
  return { ...said, signature };
}

function readCommit(kind: 'commit' | 'seal', fields: RlpFields) {
  const lengths = kind === 'seal' ? [65] : [0, 65];
  const { said, signature, payload } = readSigned(fields, (payloadFields) => ({
    ...readSubject(payloadFields),
    seal: copyOf(payloadFields.exactly('seal', ...lengths)),
  }));
  const commit: CommitPayload = said;
  return { ...commit, signature, sender: recoverSender(kind, payload, signature) };
}

function readRoundChange(fields: RlpFields, limits: DecodingLimits): RoundChangeMessage {
  const roundChange = readSignedRoundChange(fields.list('round change'));
  const sender = roundChangeSender(roundChange);
  const block = fields.list('block');
  const prepared = block.isDone
    ? {}
    : { block: readProposedBlock(block, limits.formatAt(roundChange.height)) };
  const prepares = readPrepares(fields, limits.maxNested);
  fields.end();
  return { kind: 'roundChange', ...roundChange, sender, ...prepared, prepares };
}

function readSignedRoundChange(fields: RlpFields): SignedRoundChange {
  const { said, signature } = readSigned(fields, (payload) => ({
    ...readView(payload),
    ...readPrepared(payload.list('prepared')),
  }));
  return { ...said, signature };
}

function readPrepared(fields: RlpFields): Pick<RoundChangePayload, 'prepared'> {
  if (fields.isDone) return {};
  return {
    prepared: wholly(fields, () => ({
      round: readRound(fields, 'prepared round'),
      digest: fields.hash('prepared digest'),
    })),
  };
}

function readProposal(fields: RlpFields, limits: DecodingLimits): ProposalMessage {
  const { said, signature, payload } = readSigned(fields.list('proposal'), (payloadFields) => {
    const view = readView(payloadFields);
    return { view, block: readProposedBlock(payloadFields.list('block'), limits.formatAt(view.height)) };
  });
  const { view, block } = said;
  const justification = fields.list('justification');
  fields.end();
  const sender = recoverSender('proposal', payload, signature);
  const roundChanges = justification
    .list('round changes')
    .repeated(limits.maxNested, (list) => readSignedRoundChange(list.list('round change')));
  const prepares = readPrepares(justification, limits.maxNested);
  justification.end();
  return { kind: 'proposal', ...view, signature, sender, block, roundChanges, prepares };
}

/** Those of a justification or a certificate. */
export function readPrepares(fields: RlpFields, most: number): SignedPrepare[] {
  return fields.list('prepares').repeated(most, (list) => readPrepare(list.list('prepare')));
}

/** Layout of what is said: [sequence, round, digest (32), …]. */
function readSubject(fields: RlpFields) {
  return { ...readView(fields), digest: fields.hash('digest') };
}

/**
 * Layout: [payload, signature (65)].
 * @returns the fields of the payload, and the bytes that are signed
 */
function readSigned<T>(
  fields: RlpFields,
  read: (payload: RlpFields) => T,
): { said: T; signature: Uint8Array; payload: Uint8Array } {
  const payload = fields.list('payload');
  const signature = readSignature(fields);
  fields.end();
  return { said: wholly(payload, read), signature, payload: payload.encoded };
}
