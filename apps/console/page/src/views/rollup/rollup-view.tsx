import type { AcceptedBatch } from '../../api/rollup-batches.js';
import type { ContractState } from '../../api/rollup-contract.js';
import { useRollupBatches, useRollupContract, useRollupOperator } from '../../api/rollup-queries.js';
import { Facts } from '../../parts/facts.js';
import { age, count } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { Loaded, reasonOf } from '../../parts/loaded.js';
import { useNow } from '../../parts/now.js';
import { RollupBatches } from './rollup-batches.js';
import { RollupDeposits } from './rollup-deposits.js';
import { RollupQueue } from './rollup-queue.js';
import { RollupSearch } from './rollup-search.js';
import { RollupTokens } from './rollup-tokens.js';

/**
 * The operator, the contract with its last batches, and deposits that wait.
 * @param options.contract - null when the file names none
 */
export function RollupView({ node, contract }: { readonly node: string; readonly contract: string | null }) {
  return (
    <>
      <h1>Rollup</h1>
      <RollupSearch />
      <section aria-labelledby="operator">
        <h2 id="operator">Operator</h2>
        <Operator />
        <RollupQueue />
      </section>
      {contract === null ? (
        <p className="empty">The endpoints file names no contract: batches and deposits are not shown.</p>
      ) : (
        <Chain node={node} contract={contract} />
      )}
    </>
  );
}

function Operator() {
  const { data, error } = useRollupOperator();
  if (error !== null)
    return (
      <p role="alert" className="failed">
        {reasonOf(error)}
      </p>
    );
  if (data === undefined)
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  return (
    <p>
      <span className="badge good">answers</span>{' '}
      {!data.hasAccounts && <span className="empty">It has no account yet.</span>}
    </p>
  );
}

function Chain({ node, contract }: { readonly node: string; readonly contract: string }) {
  return (
    <Loaded query={useRollupContract(node, contract)}>
      {(state) => <Contract node={node} contract={contract} state={state} />}
    </Loaded>
  );
}

function Contract(props: {
  readonly node: string;
  readonly contract: string;
  readonly state: ContractState;
}) {
  const { node, contract, state } = props;
  const found = useRollupBatches(node, contract, state);
  return (
    <>
      <ContractFacts contract={contract} state={state} newest={found.batches[0]} />
      <RollupBatches found={found} operator={state.operator} height={state.height} />
      <RollupDeposits state={state} />
      <RollupTokens tokens={state.tokens} all={state.tokenCount} />
    </>
  );
}

function ContractFacts(props: {
  readonly contract: string;
  readonly state: ContractState;
  readonly newest: AcceptedBatch | undefined;
}) {
  const { contract, state, newest } = props;
  const now = useNow();
  const { operatorTurn, head, frozen } = state;
  return (
    <section aria-labelledby="contract">
      <h2 id="contract">Contract</h2>
      <Facts
        of={{
          Address: <AddressLink address={contract} />,
          Operator: <AddressLink address={state.operator} />,
          Accounts: count(state.nextAccountId - 1),
          Batches: count(state.height),
          'Newest batch': newest === undefined ? undefined : `${age(newest.time, now)} ago`,
          'Deposits taken': `${count(state.nextDeposit)} of ${count(state.depositCount)}`,
          Withdrawals:
            frozen === true ? (
              <span className="badge bad">frozen: it takes no batch, and holders withdraw by proofs</span>
            ) : undefined,
          'Overdue after': `${count(state.stallTimeout)} s`,
          'Requests for transfers':
            operatorTurn === 0 ? undefined : (
              <span className="badge bad">
                {operatorTurn > head
                  ? `overdue: the operator waits for block ${count(operatorTurn)}`
                  : 'overdue: anyone may serve them'}
              </span>
            ),
        }}
      />
    </section>
  );
}
