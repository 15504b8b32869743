import { compile } from '@tetrad/compilers';
import type { Address } from '@tetrad/types';
import type { CreateContract } from '../src/contract/deploy-rollup.js';
import { sourcesOf } from './evm-contract.js';

let code: Promise<string> | undefined;

/** Deploys a verifier to which every proof holds; its source is compiled once for a test file. */
export async function deployAgreeingVerifier(create: CreateContract): Promise<Address> {
  code ??= sourcesOf('agreeing.sol').then((sources) => compile(sources).get('Agreeing')?.bytecode ?? '');
  return create(await code);
}
