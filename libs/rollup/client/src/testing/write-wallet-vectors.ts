import { writeFileSync } from 'node:fs';
import { walletVectors } from './wallet-vectors.js';

/** Writes libs/rollup/vectors again, after a change of what is signed. */
for (const [name, value] of Object.entries(await walletVectors()))
  writeFileSync(new URL(`../../../vectors/${name}`, import.meta.url), `${JSON.stringify(value, null, 2)}\n`);
