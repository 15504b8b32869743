// Deploys with state validation, by which all parties must come to the same state, and reads the protection.
import { deployStorage, members } from './network.mjs';

const address = await deployStorage({ privacyFlag: 'stateValidation' });
const { privacyFlag } = await members[1].client.getContractPrivacy({ address });
console.log(privacyFlag);
