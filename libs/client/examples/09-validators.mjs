// Shows who proposed blocks, and that the node votes for no one.
import { members } from './network.mjs';

const [{ client }] = members;
const validators = await client.getValidators();
const { author } = await client.getBlockSigners({ blockNumber: 1n });
console.log(validators.length, validators.includes(author), (await client.getValidatorCandidates()).length);
