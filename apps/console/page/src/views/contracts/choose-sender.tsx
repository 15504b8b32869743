import type { ReactNode } from 'react';

/**
 * Chooses the account that sends, and leads to the confirmation.
 * @param props.children - what else is chosen
 */
export function ChooseSender(props: {
  readonly accounts: readonly string[];
  readonly from: string;
  readonly onChange: (account: string) => void;
  readonly onLook: () => void;
  readonly children?: ReactNode;
}) {
  const { accounts, from, onChange, onLook, children } = props;
  return (
    <p>
      <label>
        From{' '}
        <select className="wide" value={from} onChange={({ target }) => onChange(target.value)}>
          {accounts.map((account) => (
            <option key={account}>{account}</option>
          ))}
        </select>
      </label>{' '}
      {children}
      <button type="button" onClick={onLook}>
        Look at the call and send it…
      </button>
    </p>
  );
}
