export function disablingItsStorages<Result>(work: () => Promise<Result>): Promise<Result>;
