import type { TransactionAgreementView } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import type { RunningNode } from '../../running-node.js';

/** What a node says of the other parties of a transaction, once none is pending. */
export async function settledParties(
  node: RunningNode,
  hash: string,
): Promise<TransactionAgreementView['parties']> {
  let parties: TransactionAgreementView['parties'] = [];
  await until(async () => {
    const found = await node.result<TransactionAgreementView | null>('privacy_getAgreement', [hash]);
    parties = found?.parties ?? [];
    return parties.every(({ agreement }) => agreement !== 'pending');
  });
  return parties;
}
