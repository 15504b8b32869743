import type { ContractState, WaitingDeposit } from '../../api/rollup-contract.js';
import { count, time } from '../../parts/format.js';
import { RollupAccountLink, tokenName } from '../../parts/rollup-links.js';
import { Table } from '../../parts/table.js';

/** Deposits that no batch has taken yet, oldest first, and which of them are overdue. */
export function RollupDeposits({ state }: { readonly state: ContractState }) {
  const { deposits, chainTime, depositCount, nextDeposit } = state;
  const waiting = depositCount - nextDeposit;
  return (
    <>
      <Table
        caption={`${count(waiting)} deposits wait for a batch`}
        rows={deposits}
        keyOf={({ index }) => String(index)}
        empty="No deposit waits."
        columns={[
          { title: 'Deposit', isNumber: true, cell: ({ index }) => index },
          { title: 'Account', isNumber: true, cell: ({ accountId }) => <RollupAccountLink id={accountId} /> },
          { title: 'Token', cell: ({ tokenId }) => tokenName(tokenId) },
          { title: 'Amount', isNumber: true, cell: ({ amount }) => count(amount) },
          { title: 'Overdue from', cell: ({ overdueAt }) => time(overdueAt) },
          { title: 'State', cell: (deposit) => <State deposit={deposit} chainTime={chainTime} /> },
        ]}
      />
      {waiting > deposits.length && (
        <p className="empty">{count(waiting - deposits.length)} further ones are not shown.</p>
      )}
    </>
  );
}

/** By the time of the chain, as the contract checks it. */
function State({ deposit, chainTime }: { readonly deposit: WaitingDeposit; readonly chainTime: number }) {
  const left = deposit.overdueAt - chainTime;
  if (left > 0) return <span className="badge">waits, overdue in {count(left)} s</span>;
  return <span className="badge bad">overdue for {count(-left)} s</span>;
}
