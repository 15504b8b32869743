export { DownstreamClient, type DownstreamOptions } from './downstream-client.js';
