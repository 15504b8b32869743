export function makeRunFolder(): Promise<string>;
