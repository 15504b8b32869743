import { clientBytes } from '@tetrad/db';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';
import { keyOf, pairColumns, type KeyPair } from './agreement-rows.js';
import type {
  PrivateRepairModel,
  PrivateRepairNoticeModel,
  PrivateRepairPermitModel,
} from './generated/models.js';

/** That a contract's state was taken from another party at the end of a block. */
export interface RepairSummary {
  readonly block: number;
  readonly contract: Address;
  /** Key of this node's manager, and of the party whose state it is. */
  readonly own: PtmKey;
  readonly source: PtmKey;
  /** Number of the request. */
  readonly request: Hash;
  /** In the words of the operator. */
  readonly reason: string;
  /** The account (104 bytes) before and after. */
  readonly stateBefore: Uint8Array;
  readonly stateAfter: Uint8Array;
  /** Signed by the parties that were asked, one after the other. */
  readonly statements: Uint8Array;
  /** Parties that have yet to be told. */
  readonly untold: readonly PtmKey[];
  readonly madeAtMs: number;
}

/** A repair with the whole contract before and after it. */
export interface StoredRepair extends RepairSummary {
  readonly payloadBefore: Uint8Array;
  readonly payloadAfter: Uint8Array;
}

/** What another party says that it has repaired. */
export interface RepairNotice extends KeyPair {
  readonly contract: Address;
  readonly block: number;
  /** Signed. */
  readonly notice: Uint8Array;
  readonly heardAtMs: number;
}

/** A party that may have the whole state of a contract for some time. */
export interface RepairPermit {
  readonly contract: Address;
  readonly other: PtmKey;
  readonly untilMs: number;
}

const KEY_BYTES = 32;

export function contractColumn(contract: Address) {
  return clientBytes(addressToBytes(contract));
}

export function keyColumn(key: PtmKey) {
  return clientBytes(Buffer.from(key, 'base64'));
}

export function untoldColumn(keys: readonly PtmKey[]) {
  return clientBytes(Buffer.concat(keys.map((key) => Buffer.from(key, 'base64'))));
}

export function repairColumns(repair: StoredRepair) {
  return {
    blockNumber: BigInt(repair.block),
    contract: contractColumn(repair.contract),
    own: keyColumn(repair.own),
    source: keyColumn(repair.source),
    request: clientBytes(hashToBytes(repair.request)),
    reason: repair.reason,
    stateBefore: clientBytes(repair.stateBefore),
    stateAfter: clientBytes(repair.stateAfter),
    payloadBefore: clientBytes(repair.payloadBefore),
    payloadAfter: clientBytes(repair.payloadAfter),
    statements: clientBytes(repair.statements),
    untold: untoldColumn(repair.untold),
    madeAt: new Date(repair.madeAtMs),
  };
}

export function toSummary(row: Omit<PrivateRepairModel, 'payloadBefore' | 'payloadAfter'>): RepairSummary {
  const { untold } = row;
  const count = untold.length / KEY_BYTES;
  return {
    block: Number(row.blockNumber),
    contract: addressFromBytes(row.contract),
    own: keyOf(row.own),
    source: keyOf(row.source),
    request: hashFromBytes(row.request),
    reason: row.reason,
    stateBefore: row.stateBefore,
    stateAfter: row.stateAfter,
    statements: row.statements,
    untold: Array.from({ length: count }, (_, at) =>
      keyOf(untold.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES)),
    ),
    madeAtMs: row.madeAt.getTime(),
  };
}

export function toRepair(row: PrivateRepairModel): StoredRepair {
  const { payloadBefore, payloadAfter } = row;
  return { ...toSummary(row), payloadBefore, payloadAfter };
}

export function noticeColumns(notice: RepairNotice) {
  return {
    ...pairColumns(notice),
    contract: contractColumn(notice.contract),
    blockNumber: BigInt(notice.block),
    notice: clientBytes(notice.notice),
    heardAt: new Date(notice.heardAtMs),
  };
}

export function toNotice(row: PrivateRepairNoticeModel): RepairNotice {
  return {
    own: keyOf(row.own),
    other: keyOf(row.other),
    contract: addressFromBytes(row.contract),
    block: Number(row.blockNumber),
    notice: row.notice,
    heardAtMs: row.heardAt.getTime(),
  };
}

export function toPermit(row: PrivateRepairPermitModel): RepairPermit {
  return {
    contract: addressFromBytes(row.contract),
    other: keyOf(row.other),
    untilMs: row.until.getTime(),
  };
}
