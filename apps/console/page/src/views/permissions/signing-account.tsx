import { useState } from 'react';
import { useHeldAccounts } from '../../api/preview-queries.js';
import type { Sender } from '../../permissions/permission-write.js';
import { useWriting } from '../../writes/writing.js';

/** The account that signs, and how to choose another. */
export interface ChosenAccount {
  /** Undefined for readers who may write nothing here, and while the node holds no account. */
  readonly by: Sender | undefined;
  readonly accounts: readonly string[];
  readonly choose: (account: string) => void;
}

/** @param likely - accounts that may act, of which the first that the node holds is taken at first */
export function useSigningAccount(node: string, likely: readonly string[]): ChosenAccount {
  const mayWrite = useWriting().writes.node.some((method) => method.startsWith('chainPermission_'));
  const accounts = useHeldAccounts(node).data ?? [];
  const [chosen, choose] = useState<string>();
  const lower = likely.map((account) => account.toLowerCase());
  const first = accounts.find((account) => lower.includes(account.toLowerCase())) ?? accounts[0];
  const from = accounts.includes(chosen ?? '') ? chosen : first;
  return { by: mayWrite && from !== undefined ? { node, from } : undefined, accounts, choose };
}

/** Which account of the node signs. */
export function SigningAccount({ chosen: { by, accounts, choose } }: { readonly chosen: ChosenAccount }) {
  if (by === undefined) return null;
  return (
    <p>
      <label>
        Changes are signed by{' '}
        <select className="whole" value={by.from} onChange={({ target }) => choose(target.value)}>
          {accounts.map((account) => (
            <option key={account}>{account}</option>
          ))}
        </select>
      </label>
    </p>
  );
}
