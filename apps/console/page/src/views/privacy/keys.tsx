import { count } from '../../parts/format.js';

/** Keys that are shown; a group may have a thousand. */
const MAX_KEYS = 50;

/** Public keys of parties. */
export const Keys = ({ of }: { readonly of: readonly string[] }) => (
  <ul className="inline">
    {of.slice(0, MAX_KEYS).map((key) => (
      <li key={key}>
        <code>{key}</code>
      </li>
    ))}
    {of.length > MAX_KEYS && <li>{count(of.length - MAX_KEYS)} further ones</li>}
  </ul>
);
