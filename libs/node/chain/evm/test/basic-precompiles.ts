import { precompiles, type Precompile } from '@tetrad/node-precompiles';

/** The four precompiles of the first rules, which answer at once. */
export const BASIC_PRECOMPILES: ReadonlyMap<number | bigint, Precompile> = precompiles.of('chainstart');
