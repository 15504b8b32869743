import { EMPTY_LIST, rlpBytes, rlpList, rlpScalar, type RlpFields } from '@tetrad/rlp';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { encodePrepare } from '../messages/message-encoding.js';
import { readPrepares } from '../messages/message-decoding.js';
import { MessageError, messageFields, readHeight, readRound, wholly } from '../messages/message-fields.js';
import { readProposedBlock, type HeaderFormat } from '../messages/proposed-block.js';
import type { PreparedCertificate, SignedRecord } from './signed-record.js';

const VERSION = 1;
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
 * Decodes a stored record. A validator must not sign with a damaged one, so there are no defaults.
 * @param formatAt - which header format blocks of a height have
 * @throws MessageError
 */
export function decodeSignedRecord(
  bytes: Uint8Array,
  formatAt: (height: number) => HeaderFormat,
): SignedRecord {
  const fields = messageFields(bytes, 'record');
  if (fields.count('version', VERSION) !== VERSION) throw new MessageError('version: unknown');
  const height = readHeight(fields);
  const record = {
    height,
    round: readRound(fields),
    ...readDigest(fields, 'proposal'),
    ...readDigest(fields, 'prepare'),
    ...readDigest(fields, 'commit'),
    roundChange: fields.count('round change', 1) === 1,
    ...readDigest(fields, 'seal'),
    ...readCertificate(fields.list('certificate'), formatAt(height)),
  };
  fields.end();
  return record;
}

type DigestField = 'proposal' | 'prepare' | 'commit' | 'seal';

function readDigest(fields: RlpFields, field: DigestField): { readonly [Field in DigestField]?: Hash } {
  const bytes = fields.exactly(field, 0, 32);
  return bytes.length === 0 ? {} : { [field]: hashFromBytes(bytes) };
}

function readCertificate(fields: RlpFields, format: HeaderFormat): Pick<SignedRecord, 'certificate'> {
  if (fields.isDone) return {};
  return {
    certificate: wholly(fields, () => ({
      round: readRound(fields),
      block: readProposedBlock(fields.list('block'), format),
      prepares: readPrepares(fields, MAX_PREPARES),
    })),
  };
}
