import { InvalidBlockError } from '@tetrad/node-block';
import { RlpFields, copyOf, encodeRlp } from '@tetrad/rlp';

const VANITY_LENGTH = 32;
const SEAL_LENGTH = 65;

/** Raft ids are 16 bits wide. */
const MAX_RAFT_ID = 0xffff;
const MAX_RAFT_ID_DIGITS = 4;
const RAFT_ID_TEXT = /^[1-9a-f][0-9a-f]*$/;

/** The minter's entry in a header. */
export interface RaftExtraData {
  /** 1 to 65,535. */
  readonly raftId: number;
  /** r ‖ s ‖ parity, 65 bytes. */
  readonly signature: Uint8Array;
}

/** Layout: zeros (32) ‖ RLP [raft id in lower-case hex digits of ASCII, without 0x; signature (65)] (docs/spec/raft.md, "Headers"). */
export function encodeRaftExtraData({ raftId, signature }: RaftExtraData): Uint8Array {
  if (!Number.isInteger(raftId) || raftId < 1 || raftId > MAX_RAFT_ID)
    throw new RangeError(`raft id: ${raftId} is not a number from 1 to ${MAX_RAFT_ID}`);
  if (signature.length !== SEAL_LENGTH)
    throw new RangeError(`signature: ${signature.length} bytes instead of ${SEAL_LENGTH}`);
  const seal = encodeRlp([Buffer.from(raftId.toString(16), 'ascii'), signature]);
  const bytes = new Uint8Array(VANITY_LENGTH + seal.length);
  bytes.set(seal, VANITY_LENGTH);
  return bytes;
}

/**
 * Reads what `encodeRaftExtraData` writes; the first 32 bytes may be any.
 * @throws InvalidBlockError
 */
export function decodeRaftExtraData(bytes: Uint8Array): RaftExtraData {
  if (bytes.length <= VANITY_LENGTH) throw invalidExtraData('no seal');
  const fields = RlpFields.of(bytes.subarray(VANITY_LENGTH), 'seal', invalidExtraData);
  const text = Buffer.from(fields.bytes('raft id', MAX_RAFT_ID_DIGITS)).toString('latin1');
  if (!RAFT_ID_TEXT.test(text)) throw invalidExtraData('raft id: expected lower-case hex digits');
  const signature = copyOf(fields.exactly('signature', SEAL_LENGTH));
  if (!fields.isDone) throw invalidExtraData('seal: too many fields');
  return { raftId: Number.parseInt(text, 16), signature };
}

function invalidExtraData(reason: string): InvalidBlockError {
  return new InvalidBlockError(`extraData: ${reason}`);
}
