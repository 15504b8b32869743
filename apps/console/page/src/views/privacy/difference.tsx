import type { PartyAgreement } from '../../api/agreement-shapes.js';
import { count } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, TransactionLink } from '../../parts/link.js';
import { readStatedOutcome, type StatedOutcome } from '../../privacy/stated-outcome.js';

/** What a party that diverged has signed; nothing of others. */
export function Difference({ party }: { readonly party: PartyAgreement }) {
  const { ptmKey, agreement, other, firstDifference } = party;
  if (agreement !== 'diverged' || other === undefined) return null;
  const outcome = other.outcome === undefined ? undefined : readStatedOutcome(other.outcome);
  return (
    <section aria-label={`What ${ptmKey} has signed`}>
      <h4>
        What <code>{ptmKey}</code> has signed
      </h4>
      <Facts
        of={{
          'First difference':
            firstDifference === undefined ? undefined : <TransactionLink hash={firstDifference} />,
          'Signed by node': party.node === undefined ? undefined : <code>{party.node}</code>,
          'Signed first by':
            party.firstNode === undefined || party.firstNode === party.node ? undefined : (
              <code>{party.firstNode}</code>
            ),
          Outcome: outcome === undefined ? 'not told, or not disclosed' : undefined,
          'Contradicts itself':
            other.before === undefined ? undefined : 'it has signed another result of the block before',
          ...(outcome === undefined ? {} : outcomeFacts(outcome)),
        }}
      />
      <details>
        <summary>Evidence</summary>
        <Facts
          of={{
            'Its statement': <code className="bytes">{other.statement}</code>,
            'Our statement': party.own && <code className="bytes">{party.own.statement}</code>,
            'Its statement before': other.before && <code className="bytes">{other.before}</code>,
            'Its outcome': other.outcome && <code className="bytes">{other.outcome}</code>,
          }}
        />
      </details>
    </section>
  );
}

/** Contracts that are listed. */
const MAX_CONTRACTS = 20;

const outcomeFacts = ({ hash, status, gasUsed, logsHash, contracts, contractCount }: StatedOutcome) => ({
  'Transaction of its outcome': <TransactionLink hash={hash} />,
  'Its status': status === 1 ? 'succeeded' : 'failed',
  'Its gas used': count(gasUsed),
  'Its logs': <code>{logsHash}</code>,
  'Its contracts': (
    <ul>
      {contracts.slice(0, MAX_CONTRACTS).map(({ address, storageRoot }) => (
        <li key={address}>
          <AddressLink address={address} />
          {': '}
          {storageRoot === undefined ? 'it does not have this contract' : <code>{storageRoot}</code>}
        </li>
      ))}
      {contractCount > Math.min(contracts.length, MAX_CONTRACTS) && (
        <li>{count(contractCount - Math.min(contracts.length, MAX_CONTRACTS))} further ones</li>
      )}
    </ul>
  ),
});
