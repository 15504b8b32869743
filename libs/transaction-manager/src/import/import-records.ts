import type { Logger, PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import type { GroupMessage } from '../group/group-message.js';
import { keepPayload } from '../manager/accept-push.js';
import { UNSHARED } from '../manager/request-turns.js';
import { ManagerError } from '../manager-error.js';
import type { PayloadStore } from '../store/payload-store.js';
import type { PrivacyGroupStore } from '../store/privacy-group-store.js';
import type { RawPayloadStore } from '../store/raw-payload-store.js';
import { ImportRefusedError } from './import-refused-error.js';
import { ImportReport, type ImportOutcome } from './import-report.js';
import type { TesseraGroup, TesseraRawPayload, TesseraRecord } from './tessera-tables.js';
import { inField, verifyRecord, type VerifiedRecord } from './verify-record.js';

export interface ImportParts {
  readonly enclave: Enclave;
  readonly store: PayloadStore;
  readonly raws: RawPayloadStore;
  readonly groups: PrivacyGroupStore;
  readonly logger: Logger;
}

/** Records, and their bytes, that are stored together. */
const BATCH = { records: 500, bytes: 8 * 1_048_576 };
/** Records between two lines of progress. */
const PROGRESS = 10_000;

/**
 * Reads every record to its end and checks it, and stores nothing.
 * @returns how many there are
 * @throws ImportRefusedError
 */
export async function verifyRecords(records: AsyncIterable<TesseraRecord>): Promise<number> {
  let count = 0;
  for await (const record of records) {
    verifyRecord(record);
    count += 1;
  }
  return count;
}

/**
 * Stores what keys of ours can read of the records, batch after batch: each payload with its recipients in one transaction.
 * What is stored already stays, so that an import that ended early is run again.
 * @throws ImportRefusedError that names the row and the field
 */
export async function importRecords(
  records: AsyncIterable<TesseraRecord>,
  parts: ImportParts,
): Promise<ImportOutcome> {
  const report = new ImportReport();
  let batch: VerifiedRecord[] = [];
  let [bytes, count] = [0, 0];
  const flush = async () => {
    const results = await Promise.allSettled(batch.map((record) => storeRecord(record, parts, report)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    [batch, bytes] = [[], 0];
  };
  for await (const record of records) {
    batch.push(verifyRecord(record));
    bytes += bytesOf(record);
    count += 1;
    if (batch.length >= BATCH.records || bytes >= BATCH.bytes) await flush();
    if (count % PROGRESS === 0) parts.logger.info('importing', { records: count });
  }
  await flush();
  return report.outcome;
}

function bytesOf(record: TesseraRecord): number {
  if (record.kind === 'payload') return record.encoded.length;
  return record.kind === 'raw' ? record.cipherText.length : record.data.length;
}

async function storeRecord(
  verified: VerifiedRecord,
  parts: ImportParts,
  report: ImportReport,
): Promise<void> {
  if (verified.kind === 'raw') return storeRaw(verified.record, parts, report);
  if (verified.kind === 'group') return storeGroup(verified.record, verified.group, { parts, report });
  const { record, payload } = verified;
  const kept = await keepPayload(payload, record.hash, { ...parts, turn: UNSHARED, recovering: true }).catch(
    (error: unknown) => {
      if (!(error instanceof ManagerError)) throw asRefusal(record.place, error);
      throw new ImportRefusedError(`${record.place}: hash: another payload of this name is stored`);
    },
  );
  if (kept === undefined) report.foreign([payload.sender, ...payload.recipientKeys]);
  else report.payload(kept);
}

/** A key with which nothing can be opened is a fault of the record. */
function asRefusal(place: string, error: unknown): unknown {
  try {
    return inField(place, 'encoded_payload', () => {
      throw error;
    });
  } catch (refusal) {
    return refusal;
  }
}

async function storeRaw(
  record: TesseraRawPayload,
  { enclave, raws }: ImportParts,
  report: ImportReport,
): Promise<void> {
  const { place, sender, hash } = record;
  if (!enclave.ring.has(sender)) return report.foreign([sender]);
  const sealed = enclave.fromRaw(record);
  if (sealed === undefined || enclave.open(sealed) === undefined)
    throw new ImportRefusedError(`${place}: encrypted_key: the key of sender ${sender} does not open it`);
  if ((await raws.find(hash)) !== undefined) return report.raw('known');
  await raws.add(record);
  report.raw('stored');
}

async function storeGroup(
  { id, lookup }: TesseraGroup,
  group: GroupMessage,
  { parts, report }: { readonly parts: ImportParts; readonly report: ImportReport },
): Promise<void> {
  if (group.kind === 'RESIDENT') return report.resident();
  if (!group.members.some((key: PtmKey) => parts.enclave.ring.has(key))) return report.foreign(group.members);
  const isNew = await parts.groups.add({ ...group, id, lookup });
  report.group(isNew ? 'stored' : 'known');
}
