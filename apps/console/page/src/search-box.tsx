import { useContext, useState, type FormEvent } from 'react';
import { pathOfHash, pathOfName } from './api/search.js';
import { reasonOf } from './parts/loaded.js';
import { NamesContext } from './parts/names.js';
import { searchFor } from './paths.js';
import { navigate } from './routing.js';

const WANTED = 'Block number, hash, address, node, label or organization';
/** As much of it as a narrow window has room for. */
const HINT = 'Block, hash, address or name';

/** Finds a block by number or hash, a transaction by hash, an account by address or by its name, an organization by its id. */
export function SearchBox({ node }: { readonly node: string }) {
  const names = useContext(NamesContext);
  const [input, setInput] = useState('');
  const [problem, setProblem] = useState<string>();
  const search = async (): Promise<string | undefined> => {
    const text = input.trim();
    if (text === '')
      return 'Enter a block number, a hash, an address, or the name of a node, a label or an organization.';
    const wanted = searchFor(text) ?? { name: text };
    const path =
      'path' in wanted
        ? wanted.path
        : 'hash' in wanted
          ? await pathOfHash(node, wanted.hash)
          : await pathOfName(names, node, wanted.name);
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
        placeholder={HINT}
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
  name: 'No node, label or organization has that name, and it is no block number, hash or address.',
} as const;
