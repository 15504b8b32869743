import type { PartyAgreementView, agreementMethods } from '@tetrad/api-node';
import { encodeDisclosedList, type AgreementReader, type PartyAgreement } from '@tetrad/node-agreement';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Whether parties have the same private results. */
export function agreementHandlers(
  parts: Pick<NodeParts, 'agreement' | 'ledger' | 'privateState'>,
): Handlers<typeof agreementMethods> {
  const { ledger, privateState } = parts;
  return {
    async privacy_getAgreement([hash]) {
      const reader = readerOf(parts);
      const mined = await ledger.findReceipt(hash);
      if (mined === undefined) return null;
      const { blockNumber, blockHash } = mined.position;
      await privateState?.demand(blockNumber);
      const found = await reader.ofTransaction(hash);
      return found === undefined
        ? null
        : { transaction: hash, blockNumber, blockHash, parties: found.parties.map(viewParty) };
    },
    async privacy_getContractAgreement([contract]) {
      const { parties } = await readerOf(parts).ofContract(contract);
      return {
        contract,
        parties: parties.map((one) => ({
          ...viewParty(one),
          transaction: one.transaction,
          blockNumber: one.block,
        })),
      };
    },
  };
}

function viewParty({ own, other, agreement, pair, row }: PartyAgreement): PartyAgreementView {
  return {
    ptmKey: other,
    ownPtmKey: own,
    agreement: agreement.kind,
    ...(agreement.kind === 'cannotTell' && { reason: agreement.reason }),
    ...(pair?.heardAtMs !== undefined && { heardAt: Math.floor(pair.heardAtMs / 1_000) }),
    ...(pair?.lastSigner !== undefined && { node: pair.lastSigner, firstNode: pair.firstSigner }),
    ...(row?.ownStatement !== undefined && {
      own: { statement: row.ownStatement, list: row.ownList && encodeDisclosedList(row.ownList) },
    }),
    ...(row?.otherStatement !== undefined && {
      other: {
        statement: row.otherStatement,
        list: row.otherList,
        outcome: row.otherOutcome,
        before: row.otherBefore,
      },
    }),
    firstDifference: row?.transaction,
  };
}

/** @throws RequestError PRIVACY_NOT_AVAILABLE */
function readerOf({ agreement }: Pick<NodeParts, 'agreement'>): AgreementReader {
  if (agreement !== undefined) return agreement;
  throw new RequestError('PRIVACY_NOT_AVAILABLE', 'PrivateTransactionManager is not enabled');
}
