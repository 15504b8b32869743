import type {
  AwaitedAgreementView,
  DisagreementsView,
  PartyAgreementView,
  agreementMethods,
} from '@tetrad/api-node';
import {
  encodeDisclosedList,
  type AwaitedAgreement,
  type Disagreements,
  type PartyAgreement,
} from '@tetrad/node-agreement';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { Agreement } from '../privacy/open-agreement.js';
import { viewExplanation } from './agreement-explanation.js';
import type { NodeParts } from './node-parts.js';

/** Whether parties have the same private results; subscriptions are with the others. */
export function agreementHandlers(
  parts: Pick<NodeParts, 'agreement' | 'ledger' | 'privateState'>,
): Handlers<Omit<typeof agreementMethods, 'privacy_subscribeAgreement'>> {
  const { ledger, privateState } = parts;
  return {
    async privacy_getAgreement([hash]) {
      const { reader } = agreementIn(parts);
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
      agreementIn(parts).reader.compareSince(since);
      return true;
    },
    async privacy_listDisagreements([since = 0]) {
      return viewDisagreements(await agreementIn(parts).reader.list(since));
    },
    async privacy_explainAgreement([contract]) {
      const { explainer } = agreementIn(parts);
      await privateState?.demand(ledger.head().header.number);
      return { contract, parties: (await explainer.explain(contract)).map(viewExplanation) };
    },
    async privacy_getContractAgreement([contract]) {
      const { parties } = await agreementIn(parts).reader.ofContract(contract);
      return {
        contract,
        parties: parties.map((one) => ({
          ...viewParty(one),
          transaction: one.transaction,
          blockNumber: one.block,
          repairedAt: one.repairedAt,
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

/** As callbacks and subscriptions tell it. */
export function viewAwaited({ transaction, agreement, parties }: AwaitedAgreement): AwaitedAgreementView {
  return {
    transaction,
    agreement,
    parties: parties.map((one) => {
      const { ptmKey, agreement: of, reason } = viewParty(one);
      return { ptmKey, agreement: of, ...(reason !== undefined && { reason }) };
    }),
  };
}

/** @throws RequestError PRIVACY_NOT_AVAILABLE */
export function agreementIn({ agreement }: Pick<NodeParts, 'agreement'>): Agreement {
  if (agreement !== undefined) return agreement;
  throw new RequestError('PRIVACY_NOT_AVAILABLE', 'PrivateTransactionManager is not enabled');
}
