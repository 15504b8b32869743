import { describeTypedData } from './typed-data-cases.js';

describeTypedData('eth_signTypedData_v4');
