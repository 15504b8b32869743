import { useQuery } from '@tanstack/react-query';
import { callNode, whyRefused, type Outcome } from './call-node.js';
import {
  contractAgreementSchema,
  transactionAgreementSchema,
  type PartyAgreement,
} from './agreement-shapes.js';

/** Statements take a few blocks. Units: ms */
const OFTEN_MS = 5_000;

/** What a node knows of the other parties, or why it does not say. */
export type Agreement =
  | { readonly kind: 'parties'; readonly parties: readonly PartyAgreement[] }
  /** It has no part in the transaction. */
  | { readonly kind: 'noParty' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Whether the other parties of transactions have the results of a node, in the order of the hashes. */
export function useAgreements(node: string, hashes: readonly string[]) {
  return useQuery({
    queryKey: ['agreements', node, hashes],
    queryFn: async ({ signal }) => {
      const calls = hashes.map((hash) => ({ method: 'privacy_getAgreement', params: [hash] }));
      return (await callNode(node, calls, signal)).map(agreementOf);
    },
    enabled: hashes.length > 0,
    refetchInterval: OFTEN_MS,
  });
}

/** Whether other parties have a node's state of a contract. */
export function useContractAgreement(node: string, address: string) {
  return useQuery({
    queryKey: ['contract-agreement', node, address],
    queryFn: async ({ signal }): Promise<Agreement> => {
      const call = { method: 'privacy_getContractAgreement', params: [address] };
      const [outcome] = await callNode(node, [call], signal);
      if (outcome?.kind !== 'done') return privacyRefusal(outcome);
      return { kind: 'parties', parties: contractAgreementSchema.parse(outcome.value).parties };
    },
    refetchInterval: OFTEN_MS,
  });
}

function agreementOf(outcome: Outcome): Agreement {
  if (outcome.kind !== 'done') return privacyRefusal(outcome);
  const found = transactionAgreementSchema.nullable().parse(outcome.value);
  return found === null ? { kind: 'noParty' } : { kind: 'parties', parties: found.parties };
}

/**
 * Why a node does not say something of other parties.
 * @param outcome - undefined where the node left out an answer
 */
export function privacyRefusal(outcome: Outcome | undefined): {
  readonly kind: 'refused';
  readonly reason: string;
} {
  return { kind: 'refused', reason: whyRefused(outcome, 'privacy') };
}
