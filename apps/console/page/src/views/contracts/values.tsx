import type { Value } from '../../abi/decode-values.js';
import { count } from '../../parts/format.js';
import { Link } from '../../parts/link.js';

/** Values of one list that are shown. */
const MAX_SHOWN = 50;
/** Characters of one value that are shown. */
const MAX_TEXT = 2_000;

/** Decoded values with their names and types, which are texts of strangers, as lists in one another. */
export function Values({ of }: { readonly of: readonly Value[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="values">
      {of.slice(0, MAX_SHOWN).map(({ name, type, content }, index) => (
        <li key={index}>
          <bdi>{name === '' ? index : name}</bdi> <TypeName type={type} />
          {': '}
          {typeof content === 'string' ? <Leaf type={type} text={content} /> : <Values of={content} />}
          {typeof content !== 'string' && content.length === 0 && 'empty'}
        </li>
      ))}
      {of.length > MAX_SHOWN && <li>{count(of.length - MAX_SHOWN)} more are not shown.</li>}
    </ul>
  );
}

/** Those of tuples have the names of their components, which are below as well. */
const TypeName = ({ type }: { readonly type: string }) => (
  <small>
    <bdi>{type.length > 60 ? `${type.slice(0, 60)}…` : type}</bdi>
  </small>
);

function Leaf({ type, text }: { readonly type: string; readonly text: string }) {
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  if (type === 'address')
    return (
      <Link to={`/accounts/${text.toLowerCase()}`}>
        <code>{text}</code>
      </Link>
    );
  if (type === 'string') return <bdi>{shown}</bdi>;
  return <code>{shown}</code>;
}
