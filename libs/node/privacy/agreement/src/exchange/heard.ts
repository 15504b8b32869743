/**
 * What became of a message: `taken`, or why it was dropped. `stranger`: of a key with which this node has shared nothing. `foreign`:
 * of another chain, block, sender or recipient. `contradicted`: taken, and the same party has signed something else under one
 * revision. `unknown`: of a kind that nothing here reads.
 */
export type Heard =
  'taken' | 'contradicted' | 'repeated' | 'stranger' | 'foreign' | 'malformed' | 'unknown' | 'too-many';
