import type { DisagreementsView, PartyAgreementView, agreementMethods } from '@tetrad/api-node';
import {
  encodeDisclosedList,
  type AgreementReader,
  type Disagreements,
  type PartyAgreement,
} from '@tetrad/node-agreement';
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
    privacy_compareSince([since]) {
      readerOf(parts).compareSince(since);
      return true;
    },
    async privacy_listDisagreements([since = 0]) {
      return viewDisagreements(await readerOf(parts).list(since));
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

function viewDisagreements({ stated, parties, blocks }: Disagreements): DisagreementsView {
  return {
    ...(stated >= 0 && { stated }),
    parties: parties.map(({ own, other, since, agreedBlock, heardAtMs, carriesMessages }) => ({
      ptmKey: other,
      ownPtmKey: own,
      since,
      agreedBlock,
      ...(heardAtMs !== undefined && { heardAt: Math.floor(heardAtMs / 1_000) }),
      carriesMessages,
    })),
    disagreements: blocks.map(({ own, other, block, state, transaction }) => ({
      blockNumber: block,
      ptmKey: other,
      ownPtmKey: own,
      state,
      firstDifference: transaction,
    })),
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
