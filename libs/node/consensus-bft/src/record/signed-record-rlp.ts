import { EMPTY_LIST, rlpBytes, rlpList, rlpScalar } from '@tetrad/rlp';
import { hashToBytes, type Hash } from '@tetrad/types';
import { encodePrepare } from '../messages/message-encoding.js';
import { readPrepare } from '../messages/message-decoding.js';
import { MessageError } from '../messages/message-error.js';
import { readProposedBlock, type HeaderFormat } from '../messages/proposed-block.js';
import { readHash, readHeight, readRound, readScalar, viewTuple } from '../messages/rlp-fields.js';
import { isEmptyListView, viewList, viewRlp, type RlpView } from '../messages/rlp-view.js';
import type { PreparedCertificate, SignedRecord } from './signed-record.js';

const VERSION = 1;
const FIELDS = 9;
const MAX_PREPARES = 10_000;

/**
 * The record as it is stored.
 *
 * Layout: RLP([version 1, height, round, proposal (32 or 0), prepare (32 or 0), commit (32 or 0), round change 0 | 1,
 * seal (32 or 0), certificate]); certificate is [] or [round, block, [prepare…]]
 */
export function encodeSignedRecord(record: SignedRecord): Uint8Array {
  return rlpList([
    rlpScalar(VERSION),
    rlpScalar(record.height),
    rlpScalar(record.round),
    optionalHash(record.proposal),
    optionalHash(record.prepare),
    optionalHash(record.commit),
    rlpScalar(record.roundChange ? 1 : 0),
    optionalHash(record.seal),
    encodeCertificate(record.certificate),
  ]);
}

function optionalHash(hash: Hash | undefined): Uint8Array {
  return rlpBytes(hash === undefined ? new Uint8Array(0) : hashToBytes(hash));
}

function encodeCertificate(certificate: PreparedCertificate | undefined): Uint8Array {
  if (certificate === undefined) return EMPTY_LIST;
  const { round, block, prepares } = certificate;
  return rlpList([rlpScalar(round), block.encoded, rlpList(prepares.map(encodePrepare))]);
}

/**
 * Reads a stored record; with a damaged one a validator must not sign, so nothing is made up.
 *
 * In:    formatAt — which header format blocks of a height have
 * Fails: MessageError
 */
export function decodeSignedRecord(
  bytes: Uint8Array,
  formatAt: (height: number) => HeaderFormat,
): SignedRecord {
  const fields = viewList(viewRlp(bytes, 'record'), 'record', { exactly: FIELDS });
  const at = (index: number): RlpView => {
    const field = fields[index];
    if (field === undefined) throw new MessageError('record: truncated');
    return field;
  };
  if (readScalar(at(0), 'version', VERSION) !== VERSION) throw new MessageError('version: unknown');
  const height = readHeight(at(1));
  const [proposal, prepare, commit, seal] = [3, 4, 5, 7].map((index) => readOptionalHash(at(index)));
  const certificate = readCertificate(at(8), formatAt(height));
  return {
    height,
    round: readRound(at(2)),
    ...(proposal === undefined ? {} : { proposal }),
    ...(prepare === undefined ? {} : { prepare }),
    ...(commit === undefined ? {} : { commit }),
    roundChange: readScalar(at(6), 'round change', 1) === 1,
    ...(seal === undefined ? {} : { seal }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

function readOptionalHash(item: RlpView): Hash | undefined {
  return !item.isList && item.payload.length === 0 ? undefined : readHash(item, 'digest');
}

function readCertificate(item: RlpView, format: HeaderFormat): PreparedCertificate | undefined {
  if (isEmptyListView(item)) return undefined;
  const [round, block, prepares] = viewTuple(item, 'certificate', 3);
  return {
    round: readRound(round),
    block: readProposedBlock(block, format),
    prepares: viewList(prepares, 'prepares', { atMost: MAX_PREPARES }).map(readPrepare),
  };
}
