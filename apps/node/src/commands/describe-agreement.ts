import type { ContractAgreementView, DisagreementsView } from '@tetrad/api-node';

const STATES = {
  pending: 'has not stated its result yet',
  comparing: 'has stated another result, and not yet of which transaction',
  diverged: 'has another result',
  undisclosed: 'cannot be compared: one of both does not disclose its result',
  agreed: 'agrees',
} as const;

const AGREEMENTS = {
  agreed: 'has the same state',
  diverged: 'has another result',
  pending: 'has not stated its result yet',
  leftOut: 'was left out of later transactions that changed the contract',
  cannotTell: 'cannot be compared',
} as const;

/**
 * Text for people.
 * @param since - the first block that was asked for; undefined for all
 */
export function describeDisagreements(view: DisagreementsView, since: number | undefined): string {
  const { stated, parties, disagreements } = view;
  if (stated === undefined) return 'this node has stated no results to other parties yet';
  const first = since === undefined ? '' : `from block ${since} on, `;
  return [
    `${first}up to block ${stated}: ${disagreements.length} without agreement`,
    ...parties.map(describeParty),
    ...disagreements.map(({ blockNumber, ptmKey, state, firstDifference }) => {
      const transaction = firstDifference === undefined ? '' : `: transaction ${firstDifference}`;
      return `block ${blockNumber}  ${ptmKey} ${STATES[state]}${transaction}`;
    }),
  ].join('\n');
}

function describeParty({
  ptmKey,
  since,
  agreedBlock,
  heardAt,
  carriesMessages,
}: DisagreementsView['parties'][number]): string {
  const agreed = agreedBlock === undefined ? 'agreed on none' : `agreed last on block ${agreedBlock}`;
  const heard = heardAt === undefined ? 'never heard' : `heard ${new Date(heardAt * 1_000).toISOString()}`;
  const reached = carriesMessages ? heard : 'its manager carries no messages';
  return `party ${ptmKey}  compared from block ${since} on, ${agreed}, ${reached}`;
}

/** Text for people. */
export function describeContract({ contract, parties }: ContractAgreementView): string {
  if (parties.length === 0)
    return `contract ${contract}  no transaction of it has been stated to another party`;
  return parties
    .map(({ ptmKey, agreement, reason, blockNumber, transaction, repairedAt }) => {
      const why = reason === undefined ? '' : ` (${reason})`;
      if (repairedAt !== undefined)
        return `contract ${contract}  ${ptmKey} ${AGREEMENTS[agreement]}: repaired at the end of block ${repairedAt}`;
      return `contract ${contract}  ${ptmKey} ${AGREEMENTS[agreement]}${why}: block ${blockNumber}, transaction ${transaction}`;
    })
    .join('\n');
}
