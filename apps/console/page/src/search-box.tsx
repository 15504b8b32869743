import { useState, type FormEvent } from 'react';
import { pathOfHash } from './api/queries.js';
import { reasonOf } from './parts/loaded.js';
import { searchFor } from './paths.js';
import { navigate } from './routing.js';

/** Finds a block by number or hash, a transaction by hash, an account by address. */
export function SearchBox({ node }: { readonly node: string }) {
  const [input, setInput] = useState('');
  const [problem, setProblem] = useState<string>();
  const search = async (): Promise<string | undefined> => {
    const wanted = searchFor(input);
    if (wanted === undefined) return 'Enter a block number, a hash or an address.';
    const path = 'path' in wanted ? wanted.path : await pathOfHash(node, wanted.hash);
    if (path === undefined) return 'This node knows no block and no transaction of that hash.';
    setInput('');
    navigate(path);
    return undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search().then(setProblem, (error: unknown) => setProblem(reasonOf(error)));
  };
  return (
    <form role="search" className="search" onSubmit={submit}>
      <input
        type="search"
        aria-label="Block number, hash or address"
        placeholder="Block number, hash or address"
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      <button type="submit">Find</button>
      <span role="status">{problem}</span>
    </form>
  );
}
