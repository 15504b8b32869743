export { NodeLaneClient, laneCalls, type LaneCalls } from './node-lane-client.js';
