import { useState, type FormEvent } from 'react';
import { accountOfKey } from '../../api/rollup-queries.js';
import { reasonOf } from '../../parts/loaded.js';
import { navigate } from '../../routing.js';
import { rollupSearchFor } from '../../service-paths.js';

const LABEL = 'Account id, public key or operation hash';

/** Finds an account of the rollup by id or public key, and an operation by hash. */
export function RollupSearch() {
  const [input, setInput] = useState('');
  const [problem, setProblem] = useState<string>();
  const search = async (): Promise<string | undefined> => {
    const wanted = rollupSearchFor(input);
    if (wanted === undefined)
      return 'Enter an account id, a public key of 64 bytes or the hash of an operation.';
    if ('path' in wanted) {
      navigate(wanted.path);
      return undefined;
    }
    const id = await accountOfKey(wanted.publicKey);
    if (id === undefined) return 'The operator knows no account with that key whose creation is final.';
    navigate(`/rollup/accounts/${id}`);
    return undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search().then(setProblem, (error: unknown) => setProblem(reasonOf(error)));
  };
  return (
    <form role="search" aria-label="In the rollup" className="search" onSubmit={submit}>
      <input
        type="search"
        aria-label={LABEL}
        placeholder={LABEL}
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      <button type="submit">Find in the rollup</button>
      <span role="status">{problem}</span>
    </form>
  );
}
