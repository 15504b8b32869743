import { createContext, useContext } from 'react';

/** Addresses in lower case → what the operator calls them. */
export const NamesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** What the operator calls an address; undefined for one without a name. */
export const useName = (address: string): string | undefined =>
  useContext(NamesContext).get(address.toLowerCase());
