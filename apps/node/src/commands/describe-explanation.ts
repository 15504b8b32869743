import type { ExplanationView, PartyExplanationView } from '@tetrad/api-node';

type Cause = PartyExplanationView['causes'][number];

const FIELDS = {
  status: 'its status',
  gasUsed: 'its gas used',
  logs: 'its logs',
  contracts: 'one of its contracts',
  outcome: 'its outcome, which the other party has not told yet',
} as const;

const PARTS = {
  presence: 'whether it was entered',
  nonce: 'its nonce',
  balance: 'its balance',
  storageRoot: 'its storage',
  codeHash: 'its code',
} as const;

const ENDS = { own: 'this node', other: 'the other party' } as const;

/** Text for people. */
export function describeExplanation({ contract, parties }: ExplanationView): string {
  if (parties.length === 0) return `contract ${contract}  no party is known to differ`;
  return parties.map((party) => [`contract ${contract}`, ...describeParty(party)].join('\n')).join('\n');
}

function describeParty(party: PartyExplanationView): string[] {
  const { ptmKey, agreement, transaction, blockNumber, difference, causes, rules, agreed, isWhole } = party;
  const what = {
    diverged: 'has another result',
    undisclosed: 'cannot be compared',
    leftOut: 'was left out',
  }[agreement];
  return [
    `  party ${ptmKey} ${what}`,
    `  first: transaction ${transaction} of block ${blockNumber}`,
    ...(difference === undefined ? [] : [`  differs: ${describeDifference(difference)}`]),
    ...(causes.length === 0
      ? [`  cause: ${UNKNOWN}`]
      : causes.map((one) => `  cause: ${describeCause(one)}`)),
    `  rules: ${RULES[rules]}`,
    agreed === undefined
      ? `  before: no transaction on which both agreed${isWhole ? '' : '; earlier ones were never compared'}`
      : `  before: both agreed on transaction ${agreed.transaction} of block ${agreed.blockNumber}`,
  ];
}

/** What this end cannot know is often known at the other. */
const UNKNOWN =
  'cannot be known here; ask the other party to explain it too: it may have changed the contract without this node, or execute by other rules';

const RULES = {
  equal: 'both say that they execute by the same ones',
  different: 'the other party says that it executes by other ones',
  unknown: 'cannot tell: one of both has not said by which ones it executes',
} as const;

function describeDifference(difference: NonNullable<PartyExplanationView['difference']>): string {
  const { field, at, contract, part, own, other } = difference;
  const values =
    own === undefined && other === undefined ? '' : `: ${own ?? 'none'} here, ${other ?? 'none'} there`;
  if (field === 'transaction') return `${ENDS[at ?? 'other']} does not have it`;
  if (field === 'undisclosed') return `${ENDS[at ?? 'other']} does not disclose its outcome`;
  if (field === 'contract') return `${PARTS[part ?? 'storageRoot']} of contract ${contract ?? ''}${values}`;
  return `${FIELDS[field]}${values}`;
}

function describeCause(cause: Cause): string {
  const { kind, at, isCertain, transactions = [], contracts = [], rules = [], isBack } = cause;
  const who = ENDS[at];
  const sure = isCertain ? '' : 'probably ';
  switch (kind) {
    case 'leftOut':
      return `${sure}${who} was left out of ${transactions.join(', ')}`;
    case 'payloadLost':
      return `${sure}the manager of ${who} has lost the payload, or answered 404 for it${isBack === true ? '; it has the payload now: execute it again, with re-execute-private' : ''}`;
    case 'publicReads':
      return `${sure}${who} does not have ${contracts.length === 0 ? 'a private contract of the transaction' : contracts.join(', ')}, and read public state there`;
    default:
      return `${sure}other rules: ${rules.map(describeRule).join(', ')}; what is there is the word of ${who}, signed and not proved`;
  }
}

function describeRule({ rule, own, other }: NonNullable<Cause['rules']>[number]): string {
  return `${rule} ${own} here, ${other} there`;
}
