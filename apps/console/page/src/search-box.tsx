import { useState, type FormEvent } from 'react';
import { pathOfHash, pathOfName } from './api/search.js';
import type { Network } from './api/shapes.js';
import { reasonOf } from './parts/loaded.js';
import { searchFor } from './paths.js';
import { navigate } from './routing.js';

const WANTED = 'Block number, hash, address, node or organization';

/** Finds a block by number or hash, a transaction by hash, an account by address or by its node, an organization by its id. */
export function SearchBox({ network, node }: { readonly network: Network; readonly node: string }) {
  const [input, setInput] = useState('');
  const [problem, setProblem] = useState<string>();
  const search = async (): Promise<string | undefined> => {
    const text = input.trim();
    if (text === '')
      return 'Enter a block number, a hash, an address, or the name of a node or an organization.';
    const wanted = searchFor(text) ?? { name: text };
    const path =
      'path' in wanted
        ? wanted.path
        : 'hash' in wanted
          ? await pathOfHash(node, wanted.hash)
          : await pathOfName(network, node, wanted.name);
    if (path === undefined) return NOT_FOUND['hash' in wanted ? 'hash' : 'name'];
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
        aria-label={WANTED}
        placeholder={WANTED}
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      <button type="submit">Find</button>
      <span role="status">{problem}</span>
    </form>
  );
}

const NOT_FOUND = {
  hash: 'This node knows no block and no transaction of that hash.',
  name: 'No node and no organization has that name, and it is no block number, hash or address.',
} as const;
